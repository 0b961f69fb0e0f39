import { setTimeout as wait } from 'node:timers/promises'
import { createPost, type Outgoing, send } from '../harness/client.ts'
import type { SiteProcess } from '../harness/process.ts'
import { type Proof, startProvedSite, withStores } from './proof.ts'

const MINUTES = 10
const CLIENTS = 40
const PAUSE_MS = 50
/** The first quarter of the run is not compared: caches fill and code is compiled. */
const SETTLING = 1 / 4
const MAX_GROWTH = 1.2
const MAX_LOOP_DELAY_MS = 50
const NOT_FOUND = '/no-such-page'
const PATHS = [
  ...['/', '/services?lang=en', '/secteurs-activite', '/health-safety', '/contact'],
  ...['/politique-confidentialite', '/sitemap.xml', NOT_FOUND],
]

let texts = 0

/** Of a hundred requests, five send a message, one sends an invalid message, the others get one of PATHS. */
function createTurn(number: number): { outgoing: Outgoing; status: number } {
  const message = `Message number ${++texts} of a long day`
  if (number % 20 === 0) return { outgoing: createPost({ message }), status: 200 }
  if (number % 100 === 1) return { outgoing: createPost({ email: 'zoe' }), status: 400 }
  const path = PATHS[number % PATHS.length] ?? '/'
  const outgoing = { path, headers: { 'Accept-Encoding': 'gzip, br' } }
  return { outgoing, status: path === NOT_FOUND ? 404 : 200 }
}

/** Sends a mix of requests for a time; `faults` counts the wrong answers and failures. */
async function load(site: string, durationMs: number) {
  const faults = new Map<string, number>()
  let requests = 0
  const end = performance.now() + durationMs

  async function ask(): Promise<void> {
    while (performance.now() < end) {
      const { outgoing, status } = createTurn(requests++)
      const answer = await send(site, outgoing).then(
        (received) => received.status,
        (error: NodeJS.ErrnoException) => error.code,
      )
      await wait(PAUSE_MS)
      if (answer === status) continue
      const fault = `${answer} instead of ${status}`
      faults.set(fault, (faults.get(fault) ?? 0) + 1)
    }
  }

  await Promise.all(Array.from({ length: CLIENTS }, ask))
  return { requests, faults }
}

/** Resident memory in MiB, and the p99 of the event loop's delay in ms since the last call. */
async function measure(site: SiteProcess): Promise<{ memory: number; loopDelay: number }> {
  const metrics = await site.readMetrics()
  const read = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(metrics)?.[1])
  return {
    memory: read('process_resident_memory_bytes') / 2 ** 20,
    loopDelay: read('nodejs_eventloop_lag_p99_seconds') * 1000,
  }
}

/** Under a steady load the site answers correctly, its memory hardly grows, and it remains fast. */
export const prove: Proof = ({ report, count: minutes = MINUTES, stores: kinds = ['sqlite'] }) =>
  withStores(kinds, async (kind, createStore) => {
    const site = await startProvedSite(await createStore(), { environment: { METRICS_PORT: '0' } })
    const durationMs = minutes * 60_000
    const settling = await load(site.url, durationMs * SETTLING)
    const { memory: before } = await measure(site)
    const { requests, faults } = await load(site.url, durationMs * (1 - SETTLING))
    const { memory, loopDelay } = await measure(site)
    const code = await site.stop()

    report.note(`${kind}: ${settling.requests + requests} requests in ${minutes} min`)
    const text = [...settling.faults, ...faults].map(([fault, times]) => `${fault}: ${times}`)
    report.claimNone('no wrong answers', text)
    const growth = `memory ${before.toFixed(0)} MiB at first, ${memory.toFixed(0)} MiB at the end`
    report.claim(growth, memory <= before * MAX_GROWTH)
    report.claim(`event loop, p99: ${loopDelay.toFixed(1)} ms`, loopDelay < MAX_LOOP_DELAY_MS)
    report.claim(`exit ${code}`, code === 0)
  })
