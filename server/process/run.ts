import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import type { Families } from '../api/metrics/metrics.ts'
import type { MetricsAnswer, MetricsQuestion } from '../api/metrics/worker-metrics.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { findFreePort } from '../connection/listen.ts'
import { createLog, type Logger } from '../log.ts'
import { type SiteProcess, startSite } from '../site.ts'
import { stopInOrder } from './graceful-shutdown.ts'
import { explainFailure, warnOfStart } from './startup-warnings.ts'
import { createSupervisor, type ReadyMessage } from './supervisor.ts'

/** What serves: a process and what it was told. */
interface Host {
  process: NodeJS.Process
  config: Config
  development: boolean
}

async function runSite({ process, config, development }: Host, log: Logger): Promise<SiteProcess> {
  const site = await startSite(config, { log, development })
  stopInOrder({ host: process, log, stop: site.stop })
  return site
}

async function showMetrics(
  { host, metricsPort }: Config,
  log: Logger,
  read: () => Promise<Families[]>,
) {
  if (metricsPort === undefined) return
  const { startMetricsServer } = await import('../api/metrics/metrics-server.ts')
  await startMetricsServer({ host, port: metricsPort, log, read })
}

/** What is only for the metrics is loaded only with them: it takes as long as all the rest of a start. */
async function createMetricsOfWorkers({ metricsPort }: Config, count: number) {
  if (metricsPort === undefined) return undefined
  const { createWorkerMetrics } = await import('../api/metrics/worker-metrics.ts')
  return createWorkerMetrics(count)
}

function announce({ host }: Config, log: Logger, port: number, processes: number): void {
  log.info({ port, processes }, `listening on http://${host}:${port}`)
}

async function runAlone(host: Host): Promise<void> {
  const { config } = host
  const log = createLog(config.logLevel)
  warnOfStart(config, log)
  const { port, metrics } = await runSite(host, log)
  await showMetrics(config, log, async () => [(await metrics?.read()) ?? []])
  announce(config, log, port, 1)
}

/** One of several processes that serve; it writes its number into each line of the log. */
async function runWorker(host: Host): Promise<void> {
  const { process, config } = host
  const log = createLog(config.logLevel, undefined, { worker: cluster.worker?.id ?? 0 })
  const { metrics } = await runSite(host, log)
  process.on('message', async ({ type, id }: MetricsQuestion) => {
    if (type !== 'metrics') return
    const families = (await metrics?.read()) ?? []
    if (process.connected) process.send?.({ type, id, families } satisfies MetricsAnswer)
  })
  process.send?.({ type: 'ready' } satisfies ReadyMessage)
}

/** Longer than its workers have, and than the supervisor waits for them. */
const PRIMARY_TIME_TO_STOP_MS = 24_800

/** Serves nothing itself: it starts the workers, replaces them, and tells their metrics as one. */
async function runPrimary({ process, config }: Host, count: number): Promise<void> {
  const log = createLog(config.logLevel)
  warnOfStart(config, log)
  // Workers accept for themselves: a connection that the primary handed to a worker just killed would never be answered.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // JSON would make null of the figures that are none.
  cluster.setupPrimary({ serialization: 'advanced' })
  const metrics = await createMetricsOfWorkers(config, count)
  const port = config.port || (await findFreePort(config.host))
  const supervisor = createSupervisor({
    fork() {
      const worker = cluster.fork({ PORT: port })
      metrics?.watch(worker)
      return worker
    },
    count,
    log,
    onGiveUp: () => fail(),
  })
  const fail = stopInOrder({
    host: process,
    log,
    stop: supervisor.stop,
    timeToStop: PRIMARY_TIME_TO_STOP_MS,
  })
  await supervisor.start()
  await showMetrics(config, log, async () => (await metrics?.read()) ?? [])
  announce(config, log, port, count)
}

async function runAs(host: Host): Promise<void> {
  const { processes } = host.config
  const count = processes === 'auto' ? availableParallelism() : processes
  if (cluster.isWorker) await runWorker(host)
  else if (count === 1 || host.development) await runAlone(host)
  else await runPrimary(host, count)
}

/** Serves as the environment wants it; ends the process, with the reason in plain words, where that cannot be. */
export async function run(process: NodeJS.Process, variables: NodeJS.ProcessEnv): Promise<void> {
  const development = process.argv.includes('--dev')
  try {
    await runAs({ process, config: loadConfig(variables), development })
  } catch (error) {
    console.error(explainFailure(error))
    process.exit(1)
  }
}
