import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Metrics, MetricsParts } from './api/metrics/metrics.ts'
import { createApp } from './app.ts'
import type { Config } from './config/config.ts'
import { listen } from './connection/listen.ts'
import { serve } from './connection/serve.ts'
import { createInbox } from './inbox/create-inbox.ts'
import { InboxUnavailable, MISCONFIGURED } from './inbox/inbox.ts'
import { startRetention } from './inbox/retention.ts'
import type { Logger } from './log.ts'
import { createMailing } from './mail/mail-service.ts'
import { createBundleRenderer } from './pages/bundle-renderer.ts'
import { createFiles } from './pages/static-files.ts'
import { createViteRenderer } from './pages/vite-renderer.ts'
import { STOP_PACE, stopSite } from './process/stop-site.ts'

const DIST = join(import.meta.dirname, '../dist')

/** A store that is out of reach does not hold the pages up: until then the form answers 503. */
const TIME_TO_OPEN = 1000

export interface SiteProcess {
  port: number
  /** Missing without METRICS_PORT. */
  metrics?: Metrics
  /** Resolves to true when all is answered, nothing is mailed any more and the store is closed. */
  stop(): Promise<true>
}

interface SiteOptions {
  config: Config
  log: Logger
  development: boolean
}

async function createBundle() {
  const [renderer, files] = await Promise.all([
    createBundleRenderer(DIST),
    createFiles(join(DIST, 'client')),
  ])
  return { renderer, files, close: async () => {} }
}

async function createDevelopment(log: Logger) {
  const developmentNonce = randomBytes(16).toString('base64')
  return { ...(await createViteRenderer(developmentNonce, log)), developmentNonce }
}

function stopIfMisconfigured(error: unknown): void {
  const waiting = error instanceof InboxUnavailable && !MISCONFIGURED.includes(error.reason)
  if (!waiting) throw error
}

async function createMetrics({ metricsPort }: Config, parts: MetricsParts) {
  if (metricsPort === undefined) return undefined
  const metrics = await import('./api/metrics/metrics.ts')
  return metrics.createMetrics(parts)
}

/** Starts all that one process does; rejects where it cannot serve. */
export async function startSite({ config, log, development }: SiteOptions): Promise<SiteProcess> {
  const inbox = createInbox(config.database, {
    log,
    mailPerHour: config.mail && config.mailPerHour,
    ...config.retention,
  })
  const [{ close, ...site }] = await Promise.all([
    development ? createDevelopment(log) : createBundle(),
    inbox.open(Date.now() + TIME_TO_OPEN).catch(stopIfMisconfigured),
  ])
  const now = Date.now
  const metrics = await createMetrics(config, { inbox, mails: config.mail !== undefined })
  const listening = await listen(config.host, config.port)
  const { port, servers } = listening
  const origin = config.publicOrigins[0] ?? `http://localhost:${port}`
  const mailing =
    config.mail &&
    createMailing({ ...config.mail, periods: config.retention }, inbox, log, metrics?.mailed)
  let stopping = false
  const isStopping = () => stopping
  const onKept = mailing?.wake
  const parts = { config, log, inbox, origin, onKept, now, metrics, isStopping, ...site }
  serve(listening, createApp(parts), parts)
  const retention = startRetention({ inbox, periods: config.retention, log })
  mailing?.start()

  return {
    port,
    metrics,
    stop() {
      stopping = true
      retention.stop()
      const pace = { ...STOP_PACE, drain: { ...STOP_PACE.drain, grace: 0 } }
      return stopSite({ servers, mailing, inbox, close, log }, development ? pace : STOP_PACE)
    },
  }
}
