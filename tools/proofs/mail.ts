import { setTimeout as wait } from 'node:timers/promises'
import { MAIL_FROM, MAIL_TO } from '../harness/mail-check.ts'
import { startStorm } from '../harness/mail-storm.ts'
import { createAddress, post } from './client.ts'
import type { Proof } from './main.ts'
import { quantile } from './report.ts'
import { startSite } from './site.ts'
import { patiently, withInbox, withStores } from './stores.ts'

const MESSAGES = 1000
const AT_ONCE = 4
/** How much longer half of the posts may take, as a ratio and in ms, for the clock's noise. */
const SLOWER = { ratio: 1.25, by: 1 }
/** How long the site mails at its own pace. */
const OWN_PACE = 10_000

interface Posted {
  references: string[]
  durations: { quiet: number[]; mailing: number[] }
}

/** Posts the same by turns to a site that mails nothing and to one that mails. */
async function postByTurns(quiet: string, mailing: string, count: number): Promise<Posted> {
  const posted: Posted = { references: [], durations: { quiet: [], mailing: [] } }
  let number = 0
  async function postSome(): Promise<void> {
    while (number < count) {
      number += 1
      const change = { message: `Message ${number}, long enough` }
      const first = await post(quiet, change, createAddress())
      const second = await post(mailing, change, createAddress())
      posted.durations.quiet.push(first.duration)
      posted.durations.mailing.push(second.duration)
      if (second.reference) posted.references.push(second.reference)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, postSome))
  return posted
}

const describe = (durations: number[]) =>
  `half within ${quantile(durations, 0.5).toFixed(1)} ms, p99 ${quantile(durations, 0.99).toFixed(1)} ms`

/** Through a server that fails half the time in every way all mail arrives, and no post waits for it. */
export const prove: Proof = ({ random, report, count = MESSAGES, stores: asked }) =>
  withStores(asked, async (kind, stores) => {
    report.note(`${kind}: ${count} messages through a mail server that fails half the time`)
    const storm = await startStorm(Math.floor(random() * 2 ** 31))
    const url = await stores.create()
    const SMTP_URL = `smtp://127.0.0.1:${storm.port}`
    const mail = { SMTP_URL, MAIL_FROM, MAIL_TO, MAIL_PER_HOUR: '1000000' }
    const quiet = await startSite(await stores.create())
    const mailing = await startSite(url, { environment: mail })
    const { references, durations } = await postByTurns(quiet.url, mailing.url, count)
    await wait(OWN_PACE)
    await quiet.end()
    await mailing.end('SIGTERM')

    const start = performance.now()
    await withInbox(url, (one) =>
      withInbox(url, async (other) => {
        const countMailed = async () => (await one.waiting(patiently())).counts.mailed
        report.note(`${await countMailed()} mailed by the site itself`)
        await storm.mailUntil([one, other], async () => (await countMailed()) === count)
      }),
    )
    const seconds = Math.round((performance.now() - start) / 1000)
    const { met, deliveries, duplicates, wrong } = await storm.stop(references)
    report.note(`the rest by two outboxes at once in ${seconds} s`)
    report.note(`connections by fault: ${JSON.stringify(met)}`)
    const faults = wrong.length > 0 ? `: ${[...new Set(wrong)].join(', ')}` : ''
    report.claim(`${references.length} posts accepted`, references.length === count)
    report.claim(`${deliveries} deliveries, all at least once, nothing wrong${faults}`, !faults)
    report.note(
      `${duplicates} of them again, each after an answer that was lost, all by the same id`,
    )
    report.note(`posts to a site that mails nothing: ${describe(durations.quiet)}`)
    const [calm, busy] = [durations.quiet, durations.mailing].map((all) => quantile(all, 0.5))
    const isNoSlower = Number(busy) <= Number(calm) * SLOWER.ratio + SLOWER.by
    report.claim(`posts to the one that mails: ${describe(durations.mailing)}`, isNoSlower)
  })
