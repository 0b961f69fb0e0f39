import { setTimeout as wait } from 'node:timers/promises'
import type { Proof, ProofParts } from './main.ts'
import { startSite } from './site.ts'
import { ask, createTally, type Tally } from './stop-clients.ts'
import { listAll, patiently, type StoreKind, type Stores, withInbox, withStores } from './stores.ts'

const ROUNDS = 20
/** When the other half of those bodies comes, after the signal: nobody listens any more then. */
const LATE = 3000
const SHORTEST_LIFE = 300
const LIFE_SPREAD = 700
const TIME_TO_STOP = 25_000

async function check(url: string, tally: Tally, { report }: ProofParts): Promise<void> {
  await withInbox(url, async (inbox) => {
    const kept = new Map<string, string>()
    for await (const { message, reference } of listAll(inbox)) kept.set(message, reference)
    const { acknowledged, unanswered } = tally
    const lost = [...acknowledged].filter(([message, reference]) => kept.get(message) !== reference)
    const unsaid = unanswered.filter((message) => kept.has(message))
    const faults = await inbox.findFaults(patiently())
    report.claim(
      `${acknowledged.size} answered 200, ${kept.size} kept, ${lost.length} lost`,
      lost.length === 0 && acknowledged.size > 0,
    )
    report.claim(`kept, but not answered: ${unsaid.length}`, unsaid.length === 0)
    report.claim(`the inbox is whole: ${faults.length} faults`, faults.length === 0)
  })
}

async function proveOver(stores: Stores, processes: number, parts: ProofParts): Promise<void> {
  const { random, report, count: rounds = ROUNDS } = parts
  report.note(`SIGTERM under load, ${rounds} times, with WEB_CONCURRENCY=${processes}`)
  const url = await stores.create()
  const tally = createTally()
  const codes = new Map<number | null, number>()
  let left = 0
  let slowest = 0
  for (let round = 0; round < rounds; round++) {
    const site = await startSite(url, {
      environment: { WEB_CONCURRENCY: String(processes) },
      onLine: (line) => {
        if (line.includes('"left":true')) left += 1
      },
    })
    const late = Promise.withResolvers<void>()
    const asked = ask(site.url, tally, late.promise)
    await wait(SHORTEST_LIFE + random() * LIFE_SPREAD)
    const start = performance.now()
    const ended = site.end('SIGTERM')
    await wait(LATE)
    late.resolve()
    const code = await ended
    slowest = Math.max(slowest, performance.now() - start)
    codes.set(code, (codes.get(code) ?? 0) + 1)
    await asked
  }
  const { answered, cut, dropped, atTheDoor, atTheDoorOfProxy, wrongStatus } = tally
  report.note(`${answered} requests answered`)
  report.claim(`answers cut: ${cut}; by the site's own log: ${left}`, cut === 0 && left === 0)
  report.claim(`asked over an open connection, and not answered: ${dropped}`, dropped === 0)
  report.claim(
    `behind a proxy that asks /readyz, refused: ${atTheDoorOfProxy}`,
    atTheDoorOfProxy === 0,
  )
  report.note(`without one, refused by the kernel before the site saw them: ${atTheDoor}`)
  report.claim(`answers other than 200: ${wrongStatus}`, wrongStatus === 0)
  const told = [...codes].map(([code, times]) => `${code} ${times} times`).join(', ')
  report.claim(`exit ${told}`, codes.get(0) === rounds)
  report.claim(`the slowest stop took ${Math.round(slowest)} ms`, slowest < TIME_TO_STOP)
  await check(url, tally, parts)
}

/** A stop under load cuts no request that was accepted, and a restart loses nothing. */
export const prove: Proof = (parts) =>
  withStores(parts.stores.length > 0 ? parts.stores : ['sqlite'], async (_: StoreKind, stores) => {
    await proveOver(stores, 1, parts)
    await proveOver(stores, 2, parts)
  })
