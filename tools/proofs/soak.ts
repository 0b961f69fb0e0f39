import { Worker } from 'node:worker_threads'
import type { Proof } from './main.ts'
import { startSite } from './site.ts'
import { load } from './steady-load.ts'
import { withStores } from './stores.ts'

const MINUTES = 10
const WARM_UP = 5000
const BURST = 5000
const PART_OF_CAPACITY = 1 / 2
const SAMPLE_INTERVAL = 5000
/** The first part of the time is not looked at: caches fill, code is compiled. */
const SETTLING = 1 / 4
const MOST_GROWTH = 1.15
const SLOWEST_LOOP = 0.05
/** What is shorter says nothing of memory and speed: their figures are only noted. */
const SHORTEST = 1
const MEBIBYTE = 2 ** 20

/** How late an idle thread is beside it: what the rest of the machine adds to the site's own delay. */
const IDLE = `
  const { parentPort, workerData } = require('node:worker_threads')
  const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  setInterval(() => {
    parentPort.postMessage(delay.percentile(99) / 1e6)
    delay.reset()
  }, workerData)`

interface Sample {
  /** In MiB. */
  memory: number
  /** Of the time since the sample before, in s. */
  loopDelay: number
}

function parseSample(metrics: string): Sample {
  const read = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(metrics)?.[1])
  return {
    memory: read('process_resident_memory_bytes') / MEBIBYTE,
    loopDelay: read('nodejs_eventloop_lag_p99_seconds'),
  }
}

/** At half of what the machine can do nothing fails, nothing piles up, and nobody waits. */
export const prove: Proof = ({ report, minutes = MINUTES, stores: asked }) =>
  withStores(asked.length > 0 ? asked : ['sqlite'], async (kind, stores) => {
    const environment = { METRICS_PORT: '0' }
    const site = await startSite(await stores.create(), { environment })
    const port = Number(new URL(site.url).port)
    await load({ port, duration: WARM_UP })
    const burst = await load({ port, duration: BURST })
    const capacity = burst.requests / (BURST / 1000)
    const rate = capacity * PART_OF_CAPACITY
    report.note(`${kind}: capacity ${Math.round(capacity)} requests a second`)

    const duration = minutes * 60_000
    const interval = Math.min(SAMPLE_INTERVAL, duration / 10)
    const samples: Sample[] = []
    const idleDelays: number[] = []
    const idle = new Worker(IDLE, { eval: true, workerData: interval })
    idle.on('message', (delay: number) => idleDelays.push(delay))
    await site.readMetrics()
    const sampling = setInterval(async () => {
      samples.push(parseSample(await site.readMetrics()))
    }, interval)
    const { requests, faults } = await load({ port, duration, rate })
    clearInterval(sampling)
    await idle.terminate()
    const code = await site.end('SIGTERM')

    const settled = samples.slice(Math.floor(samples.length * SETTLING))
    const part = Math.ceil(settled.length / 3)
    const memory = settled.map((sample) => sample.memory)
    // The lowest of each time: what the collector has not come to yet says nothing.
    const [early, late] = [Math.min(...memory.slice(0, part)), Math.min(...memory.slice(-part))]
    const slowest = Math.max(...settled.map(({ loopDelay }) => loopDelay))
    const reached = requests / (duration / 1000)
    const judge = minutes < SHORTEST ? report.note : report.claim
    const told = [...faults].map(([fault, times]) => `${fault}: ${times}`).join(', ')
    judge(
      `${requests} requests in ${minutes} min, ${Math.round(reached)} a second of ${Math.round(rate)}`,
      reached > rate * 0.95,
    )
    report.claim(`answered otherwise than they should: ${told || 'none'}`, faults.size === 0)
    judge(
      `memory ${early.toFixed(0)} MiB at first, ${late.toFixed(0)} MiB at the end`,
      late <= early * MOST_GROWTH,
    )
    judge(
      `event loop, p99 of the worst ${interval / 1000} s: ${(slowest * 1000).toFixed(1)} ms`,
      slowest < SLOWEST_LOOP,
    )
    const steps = Array.from({ length: 10 }, (_, n) => memory[Math.floor((n * memory.length) / 10)])
    report.note(`memory in ten steps: ${steps.map((each) => each?.toFixed(0)).join(' ')}`)
    report.note(`of an idle thread beside it: ${Math.max(...idleDelays).toFixed(1)} ms`)
    report.claim(`exit ${code}`, code === 0)
  })
