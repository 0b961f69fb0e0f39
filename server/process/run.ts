import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { company, findPlaceholders } from '../../shared/content/company.ts'
import type { Families } from '../api/metrics/metrics.ts'
import type { MetricsAnswer, MetricsRequest } from '../api/metrics/worker-metrics.ts'
import { type Config, ConfigError, loadConfig } from '../config/config.ts'
import { findPlainHost } from '../config/database-url.ts'
import { isLoopback, toUrlHost } from '../config/networks.ts'
import { findFreePort } from '../connection/listen.ts'
import { describeUnavailable, explainUnavailable, InboxUnavailable } from '../inbox/inbox.ts'
import { createLog, type Logger } from '../log.ts'
import { reportMailing } from '../mail/mail-service.ts'
import { startSite } from '../site.ts'
import { stopOnSignals } from './shutdown.ts'
import { createSupervisor, StartFailed, type WorkerMessage } from './supervisor.ts'

// Three files start the site: main.js enables the compile cache, this file gives the process its role
// (alone, worker, or primary of workers), site.ts connects the parts of a process that serves.

interface Host {
  process: NodeJS.Process
  config: Config
  log: Logger
  development: boolean
}

/** Starts the configured role. A failed start writes its reason to standard error and ends the process. */
export async function run(process: NodeJS.Process, variables: NodeJS.ProcessEnv): Promise<void> {
  try {
    const config = loadConfig(variables)
    const { worker } = cluster
    const log = createLog(config.logLevel, undefined, worker && { worker: worker.id })
    const host = { process, config, log, development: process.argv.includes('--dev') }
    if (worker) {
      await runWorker(host)
      return
    }
    logStartupWarnings(config, log)
    const wanted = config.processes === 'auto' ? availableParallelism() : config.processes
    const processes = host.development ? 1 : wanted
    const port = processes === 1 ? await runAlone(host) : await runPrimary(host, processes)
    const { host: name, revision } = config
    log.info({ port, processes, revision }, `listening on http://${toUrlHost(name)}:${port}`)
  } catch (error) {
    console.error(explainStartFailure(error))
    process.exit(1)
  }
}

async function runAlone(host: Host): Promise<number> {
  const { port, metrics } = await startHere(host)
  await showMetrics(host, async () => [(await metrics?.read()) ?? []])
  return port
}

async function runWorker(host: Host): Promise<void> {
  const { process } = host
  const { metrics } = await startHere(host)
  process.on('message', async ({ type }: MetricsRequest) => {
    if (type !== 'metrics') return
    const families = (await metrics?.read()) ?? []
    if (process.connected) process.send?.({ type, families } satisfies MetricsAnswer)
  })
  process.send?.({ type: 'ready' } satisfies WorkerMessage)
}

/** The primary serves no visitors: it starts and replaces the workers, and serves their aggregated metrics. */
async function runPrimary(host: Host, count: number): Promise<number> {
  const { process, config, log } = host
  // Workers accept connections themselves, because a connection that the primary passes to a killed worker would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // JSON would turn NaN in metrics into null.
  cluster.setupPrimary({ serialization: 'advanced' })
  const metrics = await loadWorkerMetrics(config, count)
  const port = config.port || (await findFreePort(config.host))
  const { start, stop } = createSupervisor({
    fork() {
      const worker = cluster.fork({ PORT: port })
      metrics?.watch(worker)
      return worker
    },
    count,
    log,
    onFailure: () => fail(),
  })
  const fail = stopOnSignals({ host: process, log, stop })
  await start()
  await showMetrics(host, async () => (await metrics?.read()) ?? [])
  return port
}

async function startHere({ process, config, log, development }: Host) {
  const site = await startSite(config, { log, development })
  const fail = stopOnSignals({ host: process, log, stop: site.stop })
  site.inbox.opened().catch((error) => {
    log.fatal(describeUnavailable(error), 'the inbox is misconfigured; the site stops')
    process.send?.({ type: 'misconfigured' } satisfies WorkerMessage)
    fail()
  })
  return site
}

// Without METRICS_PORT the metrics modules are not loaded: they would double the time of a start.
async function showMetrics(
  { config: { host, metricsPort }, log }: Host,
  read: () => Promise<Families[]>,
): Promise<void> {
  if (metricsPort === undefined) return
  const { startMetricsServer } = await import('../api/metrics/metrics-server.ts')
  await startMetricsServer(host, metricsPort, read, log)
}

async function loadWorkerMetrics({ metricsPort }: Config, count: number) {
  if (metricsPort === undefined) return undefined
  const { createWorkerMetrics } = await import('../api/metrics/worker-metrics.ts')
  return createWorkerMetrics(count)
}

/** Logs the mail server, and problems of the configuration that do not prevent a start. */
export function logStartupWarnings(config: Config, log: Logger): void {
  const placeholders = findPlaceholders(company)
  if (placeholders.length > 0) {
    log.warn(
      { placeholders },
      'facts about the firm are placeholders; edit shared/content/company.json',
    )
  }
  if (!isLoopback(config.host) && config.publicOrigins.length === 0) {
    log.warn(
      'PUBLIC_URL is not set: every Host header is accepted, and absolute links point to localhost; set PUBLIC_URL in production',
    )
  }
  const host = findPlainHost(config.database)
  if (host) {
    log.warn(
      { host },
      'DATABASE_URL does not use TLS: messages cross the network unencrypted; set its parameter sslmode to verify-full',
    )
  }
  reportMailing(config.mail, log)
}

const LISTEN_CALLS = ['listen', 'bind', 'getaddrinfo']

/** Explains a failed start to the operator; returns an unexpected error unchanged. */
function explainStartFailure(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof StartFailed) return error.message
  if (error instanceof InboxUnavailable) return explainUnavailable(error)
  const { syscall = '', message } = error as NodeJS.ErrnoException
  if (!LISTEN_CALLS.includes(syscall)) return error
  return `The site cannot listen (${message}): set HOST, PORT and METRICS_PORT to a free address and free ports of this machine`
}
