import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { createPost } from '../harness/client.ts'
import {
  claimKept,
  type Proof,
  type ProofParts,
  type Stores,
  startSite,
  withStores,
} from './proof.ts'

// The file is longer than 150 lines so that the clients and the rules that they check are in one place.

const ROUNDS = 20
const CLIENTS = 24
const SLOW_BODIES = 6
const READINESS_INTERVAL_MS = 200
/** A slow body ends this long after the signal, when the site no longer accepts connections. */
const LATE_MS = 3000
const MIN_LIFE_MS = 300
const MAX_LIFE_MS = 1000
const MAX_STOP_MS = 25_000
const PATHS = ['/', '/contact', '/services?lang=en', '/sitemap.xml', '/livez']

/** Outcomes of all requests of a proof. */
const createTally = () => ({
  answered: 0,
  /** Number of answers that ended early. */
  cut: 0,
  /** Number of requests on an open connection that got no answer. */
  dropped: 0,
  /** Number of new connections that the kernel reset before the site accepted them. */
  reset: 0,
  /** Like `reset`, but for clients behind a proxy that checks /readyz. */
  resetBehindProxy: 0,
  wrongStatus: 0,
  /** Maps the text of each message that was answered 200 to its reference. */
  acknowledged: new Map<string, string>(),
  unanswered: [] as string[],
})
type Tally = ReturnType<typeof createTally>

let texts = 0

interface Client {
  site: string
  tally: Tally
  /** Posts messages instead of reading pages. */
  writes: boolean
  /** Opens a new connection for each request. */
  isNew: boolean
  isProxied: boolean
  goesOn: () => boolean
}

/** Sends one request; the second half of its body waits for `late`. Resolves to false if no process listens. */
function ask(
  client: Client,
  path: string,
  agent: Agent,
  late?: Promise<unknown>,
): Promise<boolean> {
  const { site, tally, writes, isProxied } = client
  const message = `Message number ${++texts} before the end`
  const post = createPost({ message })
  const body = Buffer.from(writes ? (post.body ?? '') : '')
  const options = writes ? { agent, method: 'POST', headers: post.headers } : { agent }
  return new Promise((resolve) => {
    let hasAnswer = false
    const sent = request(site + (writes ? post.path : path), options)
    sent.once('response', async (response) => {
      hasAnswer = true
      const bytes = await buffer(response).catch(() => undefined)
      if (bytes) tally.answered += 1
      else tally.cut += 1
      if (bytes && response.statusCode !== 200) tally.wrongStatus += 1
      else if (bytes && writes) tally.acknowledged.set(message, JSON.parse(String(bytes)).reference)
      if (!bytes && writes) tally.unanswered.push(message)
      resolve(true)
    })
    sent.on('error', ({ code }: NodeJS.ErrnoException) => {
      // `cut` already counts an answer that ends early.
      if (hasAnswer) return
      if (code === 'ECONNREFUSED') return resolve(false)
      if (writes) tally.unanswered.push(message)
      if (sent.reusedSocket) tally.dropped += 1
      else tally[isProxied ? 'resetBehindProxy' : 'reset'] += 1
      resolve(true)
    })
    const half = late ? body.length >> 1 : 0
    if (late) sent.write(body.subarray(0, half))
    void Promise.resolve(late).then(() => sent.end(body.subarray(half)))
  })
}

async function askUntilGone(client: Client): Promise<void> {
  const agent = new Agent({ keepAlive: !client.isNew, maxSockets: 1 })
  for (let turn = 0; client.goesOn(); turn++) {
    if (!(await ask(client, PATHS[turn % PATHS.length] ?? '/', agent))) break
  }
  agent.destroy()
}

/** Runs all clients until the site is gone. */
async function askAll(site: string, tally: Tally, late: Promise<unknown>): Promise<void> {
  let isReady = true
  const proxy = setInterval(async () => {
    isReady &&= await fetch(`${site}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }, READINESS_INTERVAL_MS)
  const createClient = (n: number): Client => {
    const isProxied = n % 2 === 0
    const goesOn = isProxied ? () => isReady : () => true
    return { site, tally, writes: n % 4 < 2, isNew: n % 8 < 4, isProxied, goesOn }
  }
  const clients = Array.from({ length: CLIENTS }, (_, n) => askUntilGone(createClient(n)))
  const slow = Array.from({ length: SLOW_BODIES }, () =>
    ask({ ...createClient(1), writes: true }, '', new Agent(), late),
  )
  await Promise.all([...clients, ...slow])
  clearInterval(proxy)
}

async function proveOver(stores: Stores, processes: number, parts: ProofParts): Promise<void> {
  const { random, report, count: rounds = ROUNDS } = parts
  report.note(`SIGTERM under load, ${rounds} times, with WEB_CONCURRENCY=${processes}`)
  const database = await stores.create()
  const environment = { WEB_CONCURRENCY: String(processes) }
  const tally = createTally()
  const codes = new Map<number | null, number>()
  let cutByLog = 0
  let slowest = 0
  for (let round = 0; round < rounds; round++) {
    const isKept = ({ left }: Record<string, unknown>) => left === true
    const site = await startSite(database, { environment, ignoreLog: false, isKept })
    const late = Promise.withResolvers<void>()
    const asked = askAll(site.url, tally, late.promise)
    await wait(MIN_LIFE_MS + random() * (MAX_LIFE_MS - MIN_LIFE_MS))
    const start = performance.now()
    const stopped = site.stop()
    await wait(LATE_MS)
    late.resolve()
    const code = await stopped
    slowest = Math.max(slowest, performance.now() - start)
    codes.set(code, (codes.get(code) ?? 0) + 1)
    await asked
    cutByLog += site.logged.length
  }
  const { answered, cut, dropped, reset, resetBehindProxy, wrongStatus } = tally
  report.note(`${answered} requests answered`)
  report.claim(`answers cut: ${cut}; in the log: ${cutByLog}`, cut === 0 && cutByLog === 0)
  report.claim(`requests dropped on an open connection: ${dropped}`, dropped === 0)
  report.claim(
    `connections reset behind a proxy that checks /readyz: ${resetBehindProxy}`,
    resetBehindProxy === 0,
  )
  report.note(`connections without a proxy that the kernel reset: ${reset}`)
  report.claim(`answers other than 200: ${wrongStatus}`, wrongStatus === 0)
  const text = [...codes].map(([code, times]) => `${code} ${times} times`).join(', ')
  report.claim(`exit ${text}`, codes.get(0) === rounds)
  report.claim(`the slowest stop took ${Math.round(slowest)} ms`, slowest < MAX_STOP_MS)
  const kept = await claimKept(database, tally.acknowledged, report)
  const unknown = tally.unanswered.filter((message) => kept.has(message))
  report.claim(`kept, but not answered: ${unknown.length}`, unknown.length === 0)
}

/** A stop under load cuts no accepted request and loses no message. */
export const prove: Proof = (parts) =>
  withStores(parts.stores ?? ['sqlite'], async (_kind, stores) => {
    await proveOver(stores, 1, parts)
    await proveOver(stores, 2, parts)
  })
