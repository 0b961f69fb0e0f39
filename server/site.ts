import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createApp, type Parts } from './app.ts'
import type { Config } from './config/config.ts'
import { LIMITS, type Limits, listen } from './connection/listen.ts'
import { passToApp } from './connection/pass-to-app.ts'
import { InboxUnavailable, MISCONFIGURED } from './inbox/inbox-errors.ts'
import { startRetention } from './inbox/retention.ts'
import { createStore, type Store } from './inbox/store.ts'
import type { Logger } from './log.ts'
import { createMailer } from './mail/mailer.ts'
import { startMailing } from './mail/mailing.ts'
import { createBundleRenderer } from './pages/bundle-renderer.ts'
import { createAssets, createPublishedFiles } from './pages/static-files.ts'
import { createViteRenderer } from './pages/vite-renderer.ts'
import { STOP_PACE, type StopPace, stopSite } from './stop-site.ts'

const DIST = join(import.meta.dirname, '../dist')

/** The start waits at most this long for the store. Until the store opens, the form answers 503. */
const OPEN_TIMEOUT_MS = 5000

/** The log, and replacements for parts of the site in development and tests. */
export interface Overrides {
  log: Logger
  /** Vite renders the pages, and a shutdown has no grace period. */
  development?: boolean
  /** Current time in epoch ms, for the forms, the inbox and the message limit. */
  now?: () => number
  limits?: Partial<Limits>
  stopPace?: StopPace
  parts?: Partial<Parts>
}

async function loadBundle() {
  const [renderer, built] = await Promise.all([
    createBundleRenderer(DIST),
    createAssets(join(DIST, 'client')),
  ])
  return { renderer, ...built, developmentNonce: undefined, attachVite() {}, async closeVite() {} }
}

async function createDevelopment(log: Logger) {
  const developmentNonce = randomBytes(16).toString('base64')
  const scripts = new Map<string, number[]>()
  return { ...(await createViteRenderer(developmentNonce, log)), scripts, developmentNonce }
}

/** Without METRICS_PORT the metrics modules are not loaded, so that the site starts faster. */
async function startMetrics(config: Config, store: Store, log: Logger) {
  const { host, metricsPort, mail, revision } = config
  if (metricsPort === undefined) return undefined
  const { createMetrics, startMetricsServer } = await import('./api/metrics.ts')
  const metrics = createMetrics({ store, mails: mail !== undefined, revision })
  return { ...metrics, stop: await startMetricsServer(host, metricsPort, metrics.read, log) }
}

function stopIfMisconfigured(error: unknown): void {
  const isTemporary = error instanceof InboxUnavailable && !MISCONFIGURED.includes(error.reason)
  if (!isTemporary) throw error
}

/** Connects and starts the parts of the site in one process. Rejects if this process cannot serve. */
export async function startSite(config: Config, overrides: Overrides) {
  const { log, now = Date.now, development = false } = overrides
  const { stopPace = development ? { ...STOP_PACE, graceMs: 0 } : STOP_PACE } = overrides
  const store = createStore(config.database, { log, now: overrides.now })
  const [{ attachVite, closeVite, renderer, assets, scripts, developmentNonce }, published] =
    await Promise.all([
      development ? createDevelopment(log) : loadBundle(),
      createPublishedFiles(),
      store.transaction(() => {}, { timeoutMs: OPEN_TIMEOUT_MS }).catch(stopIfMisconfigured),
    ])
  const metrics = await startMetrics(config, store, log)
  const listening = await listen(config.host, config.port, { ...LIMITS, ...overrides.limits })
  const { port, servers } = listening
  attachVite(servers)
  const periods = config.retention
  const mailing =
    config.mail && startMailing({ store, mailer: createMailer(config.mail), log, periods })
  let stopping = false
  const parts: Parts = {
    config,
    log,
    store,
    origin: config.publicOrigins[0] ?? `http://localhost:${port}`,
    wakeMailing: mailing?.wake,
    now,
    metrics,
    isStopping: () => stopping,
    renderer,
    published,
    assets,
    scripts,
    developmentNonce,
    ...overrides.parts,
  }
  passToApp(listening, createApp(parts), parts)
  const retention = startRetention({ store, periods, log })

  return {
    port,
    store,
    metrics,
    /** Resolves when requests and mails have ended and the store is closed, or after a timeout. */
    stop(): Promise<void> {
      stopping = true
      retention.stop()
      return stopSite({ servers, mailing, store, closeVite, log }, stopPace).finally(metrics?.stop)
    },
  }
}
