import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { type Config, loadConfig } from './config.ts'
import { findFreePort } from './listen.ts'
import { createLog, type Logger } from './log.ts'
import { combine } from './ops/exposition.ts'
import { startMetricsServer } from './ops/metrics-server.ts'
import {
  createWorkerMetrics,
  type MetricsAnswer,
  type MetricsQuestion,
} from './ops/worker-metrics.ts'
import { type SiteProcess, startSite } from './site.ts'
import { explainFailure, warnOfStart } from './start-report.ts'
import { stopInOrder } from './stop.ts'
import { createSupervisor, type ReadyMessage } from './supervisor.ts'

const development = process.argv.includes('--dev')

async function runSite(config: Config, log: Logger): Promise<SiteProcess> {
  const site = await startSite({ config, log, development })
  stopInOrder({ host: process, log, stop: site.stop })
  return site
}

async function showMetrics(config: Config, log: Logger, read: () => Promise<string>) {
  const { host, metricsPort } = config
  if (metricsPort !== undefined) await startMetricsServer({ host, port: metricsPort, log, read })
}

function announce({ host }: Config, log: Logger, port: number, processes: number): void {
  log.info({ port, processes }, `listening on http://${host}:${port}`)
}

async function runAlone(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  warnOfStart(config, log)
  const { port, metrics } = await runSite(config, log)
  await showMetrics(config, log, async () => combine([(await metrics?.read()) ?? []]).metrics())
  announce(config, log, port, 1)
}

/** One of several processes that serve; it writes its number into each line of the log. */
async function runWorker(config: Config): Promise<void> {
  const log = createLog(config.logLevel, undefined, { worker: cluster.worker?.id ?? 0 })
  const { metrics } = await runSite(config, log)
  process.on('message', async ({ type, id }: MetricsQuestion) => {
    if (type !== 'metrics') return
    const families = (await metrics?.read()) ?? []
    if (process.connected) process.send?.({ type, id, families } satisfies MetricsAnswer)
  })
  process.send?.({ type: 'ready' } satisfies ReadyMessage)
}

/** Serves nothing itself: it starts the workers, replaces them, and tells their metrics as one. */
async function runPrimary(config: Config, count: number): Promise<void> {
  const log = createLog(config.logLevel)
  warnOfStart(config, log)
  // JSON would make null of the figures that are none.
  cluster.setupPrimary({ serialization: 'advanced' })
  const metrics = createWorkerMetrics(count)
  const port = config.port || (await findFreePort(config.host))
  const supervisor = createSupervisor({
    fork() {
      const worker = cluster.fork({ PORT: port })
      metrics.watch(worker)
      return worker
    },
    count,
    log,
    onGiveUp: () => fail(),
  })
  const fail = stopInOrder({ host: process, log, stop: supervisor.stop })
  await supervisor.start()
  await showMetrics(config, log, metrics.read)
  announce(config, log, port, count)
}

async function run(config: Config): Promise<void> {
  const count = config.processes === 'auto' ? availableParallelism() : config.processes
  if (cluster.isWorker) await runWorker(config)
  else if (count === 1 || development) await runAlone(config)
  else await runPrimary(config, count)
}

try {
  await run(loadConfig(process.env))
} catch (error) {
  console.error(explainFailure(error))
  process.exit(1)
}
