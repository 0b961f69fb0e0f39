import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createPost, send } from '../harness/client.ts'
import { claimKept, type Proof, type ProofOptions, startProvedSite, withStores } from './proof.ts'

const ROUNDS = 20
const CLIENTS = 24
const READINESS_INTERVAL_MS = 200
const MIN_LIFE_MS = 300
const MAX_LIFE_MS = 1000
const MAX_STOP_MS = 25_000
const PATHS = ['/', '/contact', '/services?lang=en', '/sitemap.xml', '/livez']

const createTally = () => ({
  /** Failures that must not happen: on a reused connection, and on each connection behind a proxy that checks /readyz. */
  dropped: 0,
  wrongStatus: 0,
  /** Maps the text of each message that was answered 200 to its reference. */
  acknowledged: new Map<string, string>(),
  unanswered: [] as string[],
})
type Tally = ReturnType<typeof createTally>

let texts = 0

/** Half of the clients write, half open a new connection for each request, and half are behind the proxy. */
async function askUntilGone(site: string, tally: Tally, n: number, isReady: () => boolean) {
  const [isProxied, writes, isNew] = [n % 2 === 0, n % 4 < 2, n % 8 < 4]
  const agent = new Agent({ keepAlive: !isNew, maxSockets: 1 })
  for (let turn = 0; !isProxied || isReady(); turn++) {
    const message = `Message number ${++texts} before the end`
    const outgoing = writes ? createPost({ message }) : { path: PATHS[turn % PATHS.length] ?? '/' }
    try {
      const { status, body } = await send(site, { ...outgoing, agent })
      if (status !== 200) tally.wrongStatus += 1
      else if (writes) tally.acknowledged.set(message, JSON.parse(body).reference)
    } catch (error) {
      const { code, reused } = error as NodeJS.ErrnoException & { reused?: boolean }
      if (code === 'ECONNREFUSED') break
      if (writes) tally.unanswered.push(message)
      // Another new connection may be reset, unless the site had received the request: its log then has `left`.
      if (isProxied || reused) tally.dropped += 1
    }
  }
  agent.destroy()
}

async function askAll(site: string, tally: Tally): Promise<void> {
  let isReady = true
  const proxy = setInterval(async () => {
    isReady &&= await fetch(`${site}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }, READINESS_INTERVAL_MS)
  const clients = Array.from({ length: CLIENTS }, (_, n) =>
    askUntilGone(site, tally, n, () => isReady),
  )
  await Promise.all(clients)
  clearInterval(proxy)
}

async function proveOver(database: string, parts: ProofOptions): Promise<void> {
  const { random, report, count: rounds = ROUNDS } = parts
  report.note(`SIGTERM under load, ${rounds} times`)
  const tally = createTally()
  const codes: (number | null)[] = []
  let cut = 0
  let slowest = 0
  for (let round = 0; round < rounds; round++) {
    const isKept = ({ left }: Record<string, unknown>) => left === true
    const site = await startProvedSite(database, { isKept })
    const asked = askAll(site.url, tally)
    await wait(MIN_LIFE_MS + random() * (MAX_LIFE_MS - MIN_LIFE_MS))
    const start = performance.now()
    codes.push(await site.stop())
    slowest = Math.max(slowest, performance.now() - start)
    await asked
    cut += site.logged.length
  }
  const { dropped, wrongStatus } = tally
  report.claim(`answers cut, by the log: ${cut}`, cut === 0)
  report.claim(`requests dropped: ${dropped}`, dropped === 0)
  report.claim(`answers other than 200: ${wrongStatus}`, wrongStatus === 0)
  const isGraceful = codes.every((code) => code === 0)
  report.claim(`exit codes: ${[...new Set(codes)].join(', ')}`, isGraceful)
  report.claim(`the slowest stop took ${Math.round(slowest)} ms`, slowest < MAX_STOP_MS)
  const kept = await claimKept(database, tally.acknowledged, report)
  const unknown = tally.unanswered.filter((message) => kept.has(message))
  report.claim(`kept, but not answered: ${unknown.length}`, unknown.length === 0)
}

/** A stop under load cuts no accepted request and loses no message. */
export const prove: Proof = (parts) =>
  withStores(parts.stores ?? ['sqlite'], async (_kind, createStore) =>
    proveOver(await createStore(), parts),
  )
