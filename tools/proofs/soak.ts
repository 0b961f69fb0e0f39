import { setTimeout as wait } from 'node:timers/promises'
import { createPost, type Outgoing, send } from '../harness/client.ts'
import { type Proof, startSite, withStores } from './proof.ts'

const MINUTES = 10
const CLIENTS = 40
const WARM_UP_MS = 5000
const BURST_MS = 5000
const PART_OF_CAPACITY = 1 / 2
const SAMPLE_INTERVAL_MS = 5000
/** The first part of the samples is ignored: caches fill, code is compiled. */
const SETTLING = 1 / 4
const MAX_GROWTH = 1.15
const MAX_LOOP_DELAY_S = 0.05
/** In a shorter run, figures of memory and speed are notes and not claims. */
const MIN_MINUTES = 1
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

interface Load {
  requests: number
  /** Wrong answers and failures, with their counts. */
  faults: Map<string, number>
}

/** Sends a mix of requests for a time: `rate` a second, or, without a rate, each request after an answer. */
async function load(site: string, durationMs: number, rate?: number): Promise<Load> {
  const result: Load = { requests: 0, faults: new Map() }
  const start = performance.now()
  const interval = rate ? (CLIENTS / rate) * 1000 : 0

  async function ask(client: number): Promise<void> {
    let due = start + (interval * client) / CLIENTS
    while (performance.now() - start < durationMs) {
      const early = due - performance.now()
      if (early > 1) await wait(early)
      due += interval
      const { outgoing, status } = createTurn(result.requests++)
      const answer = await send(site, outgoing).then(
        (received) => received.status,
        (error: NodeJS.ErrnoException) => error.code,
      )
      if (answer === status) continue
      const fault = `${answer} instead of ${status}`
      result.faults.set(fault, (result.faults.get(fault) ?? 0) + 1)
    }
  }

  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => ask(client)))
  return result
}

interface Sample {
  /** Resident memory in MB. */
  memory: number
  /** p99 of the event loop's delay since the last sample, in s. */
  loopDelay: number
}

function parseSample(metrics: string): Sample {
  const read = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(metrics)?.[1])
  return {
    memory: read('process_resident_memory_bytes') / 1e6,
    loopDelay: read('nodejs_eventloop_lag_p99_seconds'),
  }
}

/** At half of its capacity, the site answers correctly, its memory does not grow, and it remains fast. */
export const prove: Proof = ({ report, minutes = MINUTES, stores: kinds = ['sqlite'] }) =>
  withStores(kinds, async (kind, stores) => {
    const site = await startSite(await stores.create(), { environment: { METRICS_PORT: '0' } })
    await load(site.url, WARM_UP_MS)
    const burst = await load(site.url, BURST_MS)
    const capacity = burst.requests / (BURST_MS / 1000)
    const rate = capacity * PART_OF_CAPACITY
    report.note(`${kind}: capacity ${Math.round(capacity)} requests a second`)

    const durationMs = minutes * 60_000
    const intervalMs = Math.min(SAMPLE_INTERVAL_MS, durationMs / 10)
    const samples: Sample[] = []
    await site.readMetrics()
    const sampling = setInterval(async () => {
      samples.push(parseSample(await site.readMetrics()))
    }, intervalMs)
    const { requests, faults } = await load(site.url, durationMs, rate)
    clearInterval(sampling)
    const code = await site.stop()

    const settled = samples.slice(Math.floor(samples.length * SETTLING))
    const part = Math.ceil(settled.length / 3)
    const memory = settled.map((sample) => sample.memory)
    // The minimum of each part, so that uncollected garbage does not count.
    const [early, late] = [Math.min(...memory.slice(0, part)), Math.min(...memory.slice(-part))]
    const slowest = Math.max(...settled.map(({ loopDelay }) => loopDelay))
    const reached = requests / (durationMs / 1000)
    const judge = minutes < MIN_MINUTES ? report.note : report.claim
    const text = [...faults].map(([fault, times]) => `${fault}: ${times}`).join(', ')
    judge(
      `${requests} requests in ${minutes} min, ${Math.round(reached)} a second of ${Math.round(rate)}`,
      reached > rate * 0.95,
    )
    report.claim(`wrong answers: ${text || 'none'}`, faults.size === 0)
    judge(
      `memory ${early.toFixed(0)} MB at first, ${late.toFixed(0)} MB at the end`,
      late <= early * MAX_GROWTH,
    )
    judge(
      `event loop, p99 of the worst ${intervalMs / 1000} s: ${(slowest * 1000).toFixed(1)} ms`,
      slowest < MAX_LOOP_DELAY_S,
    )
    report.claim(`exit ${code}`, code === 0)
  })
