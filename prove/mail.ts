import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteInbox } from '../server/inbox/sqlite/inbox.ts'
import { VALID } from '../test/helpers/contact.ts'
import { runStorm } from '../test/helpers/mail-storm.ts'
import { type Site, soon, startSite } from '../test/helpers/site.ts'
import { BEHIND_PROXY, createVisitor } from '../test/helpers/visitors.ts'

const MESSAGES = 1000
const AT_ONCE = 4

interface Posted {
  references: string[]
  /** Of each request, in ms, sorted. */
  durations: number[]
}

/** Posts over HTTP, each by another visitor. */
async function postMessages(site: Site, count: number): Promise<Posted> {
  const posted: Posted = { references: [], durations: [] }
  let number = 0
  async function postSome(): Promise<void> {
    while (number < count) {
      number += 1
      const begin = performance.now()
      const answer = await fetch(`${site.url}/api/contact`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...createVisitor() },
        body: JSON.stringify({ ...VALID, message: `Message ${number}, long enough` }),
      })
      const { reference } = (await answer.json()) as { reference: string }
      posted.durations.push(performance.now() - begin)
      if (answer.status !== 200) throw new Error(`Not kept: ${answer.status}`)
      posted.references.push(reference)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, postSome))
  posted.durations.sort((a, b) => a - b)
  return posted
}

function describeDurations({ durations }: Posted): string {
  const at = (share: number) => durations[Math.floor(durations.length * share)]?.toFixed(1)
  return `half within ${at(0.5)} ms, 99 of 100 within ${at(0.99)} ms`
}

/** Posts through a site whose mail goes through a server that fails half the time in every way. */
export async function prove(): Promise<void> {
  const seed = Date.now()
  const folder = await mkdtemp(join(tmpdir(), 'prove-mail-'))
  const quiet = await startSite({ realTime: true, environment: BEHIND_PROXY })
  const baseline = await postMessages(quiet, MESSAGES)
  await quiet.stop()

  const database = join(folder, 'inbox.sqlite')
  const site = await startSite({ realTime: true, environment: BEHIND_PROXY, database })
  const second = createSqliteInbox({ path: database })
  const begin = performance.now()
  let posted: Posted | undefined
  const posting = postMessages(site, MESSAGES).then((result) => {
    posted = result
  })
  const storm = await runStorm([site.inbox, second], seed, async () => {
    if (!posted) return undefined
    const { counts } = await site.inbox.waiting(soon())
    return counts.mailed === MESSAGES ? posted.references : undefined
  })
  await posting
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  await second.close()
  await site.stop()
  await rm(folder, { recursive: true })

  const { tries, met, deliveries, duplicates, wrong } = storm
  console.log(`seed ${seed}: ${MESSAGES} messages, two outboxes over one store, ${seconds} s`)
  console.log(`${tries} tries, met ${JSON.stringify(met)}`)
  console.log(`${deliveries} deliveries, ${duplicates} of them again after a lost answer`)
  console.log(`posts without mail: ${describeDurations(baseline)}`)
  if (posted) console.log(`posts meanwhile: ${describeDurations(posted)}`)
  if (wrong.length > 0) throw new Error(`Not as it should be: ${[...new Set(wrong)].join(', ')}`)
}
