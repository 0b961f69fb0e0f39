import { setTimeout as wait } from 'node:timers/promises'
import { postMessage } from '../harness/client.ts'
import { MAIL_FROM, MAIL_TO } from '../harness/mail-check.ts'
import { startStorm } from '../harness/mail-storm.ts'
import { quantile } from '../harness/numbers.ts'
import { farDeadline, type Proof, startProvedSite, withInbox, withStores } from './proof.ts'

const MESSAGES = 1000
const AT_ONCE = 4
/** Limit of the posts' p99. Waiting for a silent mail server would take many seconds. */
const MAX_POST_MS = 3000
/** Time in which the site's own outbox mails, before two faster ones mail the other messages. */
const OWN_PACE_MS = 10_000

async function postAll(site: string, count: number) {
  const posted = { references: [] as string[], durations: [] as number[] }
  let number = 0
  async function postSome(): Promise<void> {
    while (number < count) {
      number += 1
      const message = `Message ${number}, long enough`
      const { reference, duration } = await postMessage(site, { message })
      posted.durations.push(duration)
      if (reference) posted.references.push(reference)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, postSome))
  return posted
}

/** All mail arrives although half of the SMTP connections fail, and no contact request waits for its mail. */
export const prove: Proof = ({ random, report, count = MESSAGES, stores: kinds }) =>
  withStores(kinds, async (kind, createStore) => {
    // The outbox waits for slow and silent connections, so 1,000 messages take about five minutes.
    report.note(`${kind}: ${count} messages through a mail server that fails half the time`)
    const storm = await startStorm(Math.floor(random() * 2 ** 31))
    const database = await createStore()
    const SMTP_URL = `smtp://127.0.0.1:${storm.port}`
    const mail = { SMTP_URL, MAIL_FROM, MAIL_TO, MAIL_PER_HOUR: '1000000' }
    const site = await startProvedSite(database, { environment: mail })
    const { references, durations } = await postAll(site.url, count)
    await wait(OWN_PACE_MS)
    await site.stop()

    await withInbox(database, (one) =>
      withInbox(database, async (other) => {
        const countMailed = async () => (await one.countByStatus(farDeadline())).mailed
        report.note(`${await countMailed()} mailed by the site itself`)
        await storm.mailUntil([one, other], async () => (await countMailed()) === count)
      }),
    )
    const { deliveries, wrong } = await storm.stop(references)
    report.claim(`${references.length} posts accepted`, references.length === count)
    const sound = `${deliveries} deliveries, at least one of each message, nothing wrong`
    report.claimNone(sound, [...new Set(wrong)])
    const p99 = quantile(durations, 0.99)
    report.claim(`posts to a site that mails: p99 ${p99.toFixed(1)} ms`, p99 < MAX_POST_MS)
  })
