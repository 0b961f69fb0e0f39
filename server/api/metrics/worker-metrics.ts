import type { Worker } from 'node:cluster'
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'
import type { Families } from './metrics.ts'

/** IPC message from the primary to a worker, which answers with its metrics. */
export interface MetricsRequest {
  type: 'metrics'
}
export interface MetricsAnswer extends MetricsRequest {
  families: Families
}

/** Maximum wait for a worker, so that a scrape does not fail because one worker hangs. */
const ANSWER_TIMEOUT_MS = 3000

const CUMULATIVE_TYPES = ['counter', 'histogram']

/** The counts of ended workers stay in the sums, because Prometheus would interpret a falling sum as a restart. */
const keepCounts = (families: Families): Families =>
  families.filter(({ type }) => CUMULATIVE_TYPES.includes(String(type)))

export function createWorkerMetrics(expected: number) {
  const registry = new Registry()
  const registers = [registry]
  const serving = new Gauge({
    name: 'site_workers',
    help: 'Processes that answered this scrape',
    registers,
  })
  new Gauge({
    name: 'site_workers_expected',
    help: 'Processes that should run',
    registers,
  }).set(expected)
  const exits = new Counter({
    name: 'site_worker_exits_total',
    help: 'Processes that ended',
    registers,
  })

  /** Counters and histograms from the last answer of each running worker. */
  const counts = new Map<Worker, Families>()
  const ended: Families[] = []

  async function ask(worker: Worker): Promise<Families | undefined> {
    const { promise, resolve } = Promise.withResolvers<Families | undefined>()
    const timer = setTimeout(() => resolve(undefined), ANSWER_TIMEOUT_MS)
    const onMessage = ({ type, families }: MetricsAnswer) => {
      if (type === 'metrics') resolve(families)
    }
    worker.on('message', onMessage)
    worker.send(
      { type: 'metrics' } satisfies MetricsRequest,
      (error) => error && resolve(undefined),
    )
    const families = await promise
    clearTimeout(timer)
    worker.off('message', onMessage)
    // If the worker ended meanwhile, its last counts are already in `ended`.
    if (families && counts.has(worker)) counts.set(worker, keepCounts(families))
    return families
  }

  return {
    watch(worker: Worker): void {
      counts.set(worker, [])
      worker.once('exit', () => {
        exits.inc()
        ended.push(counts.get(worker) ?? [])
        counts.delete(worker)
      })
    },

    /** Metrics of the primary and its running workers, and the counters and histograms of ended workers. */
    async read(): Promise<Families[]> {
      const asked = [...counts.keys()]
      const answers = await Promise.all(asked.map(ask))
      serving.set(answers.filter(Boolean).length)
      const past = await AggregatorRegistry.aggregate(ended.splice(0)).getMetricsAsJSON()
      ended.push(past)
      const silent = asked.filter((worker, index) => !answers[index] && counts.has(worker))
      return [
        await registry.getMetricsAsJSON(),
        ...answers.filter((families) => families !== undefined),
        ...silent.map((worker) => counts.get(worker) ?? []),
        past,
      ]
    },
  }
}
