import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { company } from '../shared/content/company.ts'
import { findPlaceholders } from '../shared/content/placeholders.ts'
import { createApp } from './app.ts'
import { type Config, ConfigError, loadConfig } from './config.ts'
import { explainUnavailable } from './inbox/explain.ts'
import { InboxUnavailable, MISCONFIGURED } from './inbox/inbox.ts'
import { createMailing, reportMailing } from './inbox/mailing.ts'
import { createInbox } from './inbox/open.ts'
import { startRetention } from './inbox/retention.ts'
import { listen } from './listen.ts'
import { createLog, type Logger } from './log.ts'
import { createBundleRenderer } from './pages/bundle-renderer.ts'
import { createFiles } from './pages/files.ts'
import { createViteRenderer } from './pages/vite-renderer.ts'
import { serve } from './socket.ts'

const DIST = join(import.meta.dirname, '../dist')
/** How long a stopping process goes on accepting, so that a proxy can notice, and how long it may take in all, in ms. */
const GRACE = 2000
const TIME_TO_MAIL = 5000
const TIME_TO_STOP = 20_000

/** A store that is out of reach does not hold the pages up: until then the form answers 503. */
const TIME_TO_OPEN = 1000

const wait = (duration: number) => new Promise((resolve) => setTimeout(resolve, duration))

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

function warnOfStart(config: Config, log: Logger): void {
  const placeholders = findPlaceholders(company)
  if (placeholders.length > 0) {
    log.warn(
      { placeholders },
      'facts about the firm are placeholders: edit shared/content/company.json',
    )
  }
  const loopback = ['localhost', '127.0.0.1', '::1'].includes(config.host)
  if (!loopback && config.publicOrigins.length === 0) {
    log.warn('PUBLIC_URL is not set: any Host is served, and links name localhost')
  }
  reportMailing(config.mail, log)
}

function stopIfMisconfigured(error: unknown): void {
  const waiting = error instanceof InboxUnavailable && !MISCONFIGURED.includes(error.reason)
  if (!waiting) throw error
}

async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  warnOfStart(config, log)
  const development = process.argv.includes('--dev')
  const { close, ...site } = await (development ? createDevelopment(log) : createBundle())
  const inbox = createInbox(config.database, { log, ...config.retention })
  await inbox.open(Date.now() + TIME_TO_OPEN).catch(stopIfMisconfigured)
  const listening = await listen(config.host, config.port)
  const { port, servers } = listening
  const origin = config.publicOrigins[0] ?? `http://localhost:${port}`
  const mailing = config.mail && createMailing(config.mail, inbox, log)
  let stopping = false
  const parts = {
    config,
    log,
    inbox,
    origin,
    onKept: mailing?.wake,
    now: Date.now,
    isStopping: () => stopping,
    ...site,
  }
  serve(listening, createApp(parts), parts)
  const retention = startRetention({ inbox, periods: config.retention, log })
  log.info({ port }, `listening on http://${config.host}:${port}`)
  mailing?.start()

  const stop = async () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), TIME_TO_STOP).unref()
    if (!development) await wait(GRACE)
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
    const closing = setInterval(() => {
      for (const server of servers) server.closeIdleConnections()
    }, 100)
    await Promise.all(closed)
    clearInterval(closing)
    retention.stop()
    await mailing?.stop(TIME_TO_MAIL)
    await inbox.close()
    await close()
    log.info('stopped')
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

function explain(error: unknown): unknown {
  if (error instanceof ConfigError) return error.message
  if (error instanceof InboxUnavailable) return explainUnavailable(error)
  const { syscall, message } = error as NodeJS.ErrnoException
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error
  return `The site cannot listen there (${message}): set HOST and PORT to what is free on this machine`
}

try {
  await start(loadConfig(process.env))
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}
