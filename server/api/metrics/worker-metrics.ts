import type { Worker } from 'node:cluster'
import { Counter, Gauge, Registry } from 'prom-client'
import { combine, keepCounts } from './merge-metrics.ts'
import type { Families } from './metrics.ts'

/** What the primary asks a worker, and what that answers. */
export interface MetricsQuestion {
  type: 'metrics'
  id: number
}
export interface MetricsAnswer extends MetricsQuestion {
  families: Families
}

/** How long a worker may take to answer, in ms; one that hangs must not fail the reading of the others. */
const PATIENCE = 3000

export interface WorkerMetrics {
  /** Counts a worker in, from its start to its end. */
  watch(worker: Worker): void
  /** What all workers have counted, and how they fare. */
  read(): Promise<Families[]>
}

/** The metrics of several processes in one place. What a worker counted stays counted when it is gone. */
export function createWorkerMetrics(expected: number, patience = PATIENCE): WorkerMetrics {
  const registry = new Registry()
  const registers = [registry]
  const serving = new Gauge({
    name: 'site_workers',
    help: 'Processes that serve, and answer when they are asked for their metrics',
    registers,
  })
  new Gauge({
    name: 'site_workers_expected',
    help: 'Processes that there should be',
    registers,
  }).set(expected)
  const ended = new Counter({
    name: 'site_worker_exits_total',
    help: 'Processes that ended, for whatever reason',
    registers,
  })

  /** The counts of each worker when it was last asked, and of those that are gone. */
  const counts = new Map<Worker, Families>()
  const departed: Families[] = []
  const questions = new Map<number, (families?: Families) => void>()
  let lastQuestion = 0

  async function ask(worker: Worker): Promise<Families | undefined> {
    lastQuestion += 1
    const id = lastQuestion
    const { promise, resolve } = Promise.withResolvers<Families | undefined>()
    const timer = setTimeout(() => resolve(undefined), patience)
    questions.set(id, resolve)
    worker.send(
      { type: 'metrics', id } satisfies MetricsQuestion,
      (error) => error && resolve(undefined),
    )
    const families = await promise
    clearTimeout(timer)
    questions.delete(id)
    // One that ended meanwhile has departed with what it said before.
    if (families && counts.has(worker)) counts.set(worker, keepCounts(families))
    return families
  }

  return {
    watch(worker) {
      counts.set(worker, [])
      worker.on('message', (message: MetricsAnswer) => {
        if (message.type === 'metrics') questions.get(message.id)?.(message.families)
      })
      worker.once('exit', () => {
        ended.inc()
        departed.push(counts.get(worker) ?? [])
        counts.delete(worker)
      })
    },

    async read() {
      const asked = [...counts.keys()]
      const answers = await Promise.all(asked.map(ask))
      serving.set(answers.filter(Boolean).length)
      const past = await combine(departed.splice(0)).getMetricsAsJSON()
      departed.push(past)
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
