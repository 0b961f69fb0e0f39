import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { createBrowserErrors } from './api/browser-errors.ts'
import { createMetrics, createMetricsServer } from './api/metrics.ts'
import { createApp, type Parts } from './app.ts'
import type { Config } from './config.ts'
import { countErrors } from './inbox/measure.ts'
import { startNightlyBackup } from './inbox/nightly-backup.ts'
import { startRetention } from './inbox/retention.ts'
import { createStore } from './inbox/store.ts'
import { MISCONFIGURED, StoreUnavailable } from './inbox/store-errors.ts'
import type { Logger } from './log.ts'
import { findConditions } from './mail/conditions.ts'
import { createMailer } from './mail/mailer.ts'
import { startMailing } from './mail/mailing.ts'
import { createBundleRenderer } from './pages/bundle-renderer.ts'
import { createAssets, createPublishedFiles, nameFile } from './pages/files.ts'
import { createViteRenderer } from './pages/vite-renderer.ts'

const DIST = join(import.meta.dirname, '../dist')

/** Times in ms, sizes in bytes. */
const LIMITS = {
  /** Longer than a proxy may reuse a connection (docs/settings.md): it must not write into a closed one. */
  keepAliveTimeout: 75_000,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1000,
  /** An idle connection is closed after this time, for example when the client does not read the answer. */
  timeout: 60_000,
}

/** The start waits at most this long for the store. Until the store opens, the form answers 503. */
const OPEN_TIMEOUT_MS = 5000

/** Time for requests and mails in flight at a stop, in ms. */
const STOP_MS = 10_000

/** The log, and replacements for parts of the site in development and tests. */
export interface Overrides {
  log: Logger
  /** Vite renders the pages from the sources. */
  isDevelopment?: boolean
  /** Current time in epoch ms, for the forms, the inbox and the message limit. */
  now?: () => number
  limits?: Partial<typeof LIMITS>
  /** Time limit of a transaction. */
  storeTimeoutMs?: number
  parts?: Partial<Parts>
}

/** The pages with their files, as a build made them. */
async function loadBundle() {
  const assets = join(DIST, 'client/assets')
  const renderer = await createBundleRenderer(DIST)
  const scripts = new Set(await readdir(assets))
  return { renderer, files: [createAssets(assets)], scripts, async close() {} }
}

/** The same from the sources, by Vite. */
async function loadSources(server: Server) {
  const { renderer, middleware, close } = await createViteRenderer(server)
  const files = [nameFile, middleware as RequestHandler]
  return { renderer, files, scripts: new Set<string>(), close }
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function stopIfMisconfigured(error: unknown): void {
  const isTemporary = error instanceof StoreUnavailable && !MISCONFIGURED.includes(error.reason)
  if (!isTemporary) throw error
}

/** Wires and starts the parts of the site in one process. Rejects if this process cannot serve. */
export async function startSite(config: Config, overrides: Overrides) {
  const { log, now = Date.now, isDevelopment = false } = overrides
  // Without `now`, PostgreSQL uses its own clock, which is the same for all machines.
  const store = createStore(config.database, {
    log,
    now: overrides.now,
    timeoutMs: overrides.storeTimeoutMs,
  })
  // A store that cannot be reached does not stop the start; one that this build must not use does.
  await store.transaction(() => {}, { timeoutMs: OPEN_TIMEOUT_MS }).catch(stopIfMisconfigured)
  const { timeout, ...limits } = { ...LIMITS, ...overrides.limits }
  const server = createServer(limits).setTimeout(timeout)
  const frontend = await (isDevelopment ? loadSources(server) : loadBundle())
  const metrics = config.metricsPort === undefined ? undefined : createMetrics(store)
  const metricsServer = metrics && createMetricsServer(metrics)
  if (metricsServer) {
    const metricsPort = await listen(metricsServer, config.host, config.metricsPort ?? 0)
    log.info({ metricsPort }, 'metrics are on their own port')
  }
  const port = await listen(server, config.host, config.port)
  const { publicOrigins } = config
  const [origin = `http://localhost:${port}`] = publicOrigins
  // No mail is leased, and nothing erased, by a process whose port is taken.
  const mailing =
    config.mail &&
    startMailing({
      store,
      mailer: createMailer(config.mail),
      log,
      periods: config.retention,
      findConditions: () => findConditions(config, now()),
    })
  const retention = startRetention({
    store,
    periods: config.retention,
    backupDays: config.backup.days,
    log,
  })
  const { folder, days } = config.backup
  const { kind } = config.database
  const nightlyBackup = folder ? startNightlyBackup({ folder, days, kind, log }) : undefined
  const browserErrors = createBrowserErrors({
    publicOrigins,
    scripts: frontend.scripts,
    store,
    log,
    count: metrics?.countBrowserError,
  })
  let isStopping = false
  const app = createApp({
    config,
    log,
    store,
    now,
    origin,
    wakeMailing: mailing?.wake,
    browserErrors,
    countRequest: metrics?.countRequest,
    countError(place) {
      countErrors(store, place, 1).catch((err) => log.warn({ err, place }, 'error not counted'))
    },
    isStopping: () => isStopping,
    renderer: frontend.renderer,
    files: [...frontend.files, createPublishedFiles()],
    ...overrides.parts,
  })
  server.on('request', app)

  return {
    port,
    store,
    readMetrics: metrics?.read,
    /** From now on GET /readyz answers 503, and connections are closed after their next answer; new ones are still taken. */
    announceStop(): void {
      isStopping = true
      server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'))
    },
    /** Ends requests and mails in flight, those that take too long too, and closes the store. */
    async stop(timeoutMs = STOP_MS): Promise<void> {
      isStopping = true
      retention.stop()
      nightlyBackup?.stop()
      metricsServer?.close().closeAllConnections()
      await frontend.close()
      await Promise.all([closeServer(server, timeoutMs), mailing?.stop(timeoutMs)])
      await browserErrors.flush()
      await store.close()
    },
  }
}

async function closeServer(server: Server, timeoutMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  // A browser keeps its connection open after its last answer.
  const closeIdle = setInterval(() => server.closeIdleConnections(), 100)
  const closeAll = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await closed
  clearInterval(closeIdle)
  clearTimeout(closeAll)
}
