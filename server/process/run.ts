import { company, findPlaceholders } from '../../shared/content/company.ts'
import { type Config, ConfigError, loadConfig } from '../config/config.ts'
import { findPlainHost } from '../config/database-url.ts'
import { isLoopback, toUrlHost } from '../config/networks.ts'
import { explainUnavailable, InboxUnavailable } from '../inbox/inbox-errors.ts'
import { createLog, type Logger } from '../log.ts'
import { startSite } from '../site.ts'
import { endAtUncaughtErrors, leave } from './exit.ts'

// Three files start the site: main.js enables the compile cache, this file reads the configuration,
// site.ts connects the parts.

/** Starts the site, which stops when `stopping` is aborted. A failed start writes its reason to standard error and ends the process. */
export async function run(variables: NodeJS.ProcessEnv, stopping: AbortSignal): Promise<void> {
  let log: Logger | undefined
  try {
    const config = loadConfig(variables)
    log = createLog(config.logLevel)
    await start(config, log, stopping)
  } catch (error) {
    console.error(explainStartFailure(error))
    if (log) leave(log, 1)
    else process.exit(1)
  }
}

async function start(config: Config, log: Logger, stopping: AbortSignal): Promise<void> {
  let site: Awaited<ReturnType<typeof startSite>> | undefined
  endAtUncaughtErrors(log)
  const stop = async () => {
    log.info(
      { signal: stopping.reason },
      'asked to stop; requests and mails in flight get a short time to finish',
    )
    // If it fails, endAtUncaughtErrors ends the process.
    await site?.stop()
    log.info('stopped')
    leave(log, 0)
  }
  if (stopping.aborted) return stop()
  stopping.addEventListener('abort', stop)
  logStartupWarnings(config, log)
  site = await startSite(config, { log, development: process.argv.includes('--dev') })
  const { port } = site
  const { host, revision } = config
  log.info({ port, revision }, `listening on http://${toUrlHost(host)}:${port}`)
}

/** Logs the mail server, and problems that do not prevent a start. */
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
  if (!config.mail) {
    log.warn('mail is off: SMTP_URL, MAIL_FROM and MAIL_TO are not set; messages stay in the inbox')
    return
  }
  const { server } = config.mail
  log.info({ server: `${server.host}:${server.port}`, tls: server.tls }, 'mail is on')
  if (server.tls === 'off' && !isLoopback(server.host)) {
    log.warn(
      { host: server.host },
      'SMTP_URL has tls=off: mail, and any password, cross the network unencrypted',
    )
  }
}

const LISTEN_CALLS = ['listen', 'bind', 'getaddrinfo']

/** Explains a failed start to the operator; returns an unexpected error unchanged. */
function explainStartFailure(error: unknown): unknown {
  if (error instanceof ConfigError) return error.message
  if (error instanceof InboxUnavailable) return explainUnavailable(error)
  const { syscall = '', message } = error as NodeJS.ErrnoException
  if (!LISTEN_CALLS.includes(syscall)) return error
  return `The site cannot listen (${message}): set HOST to an address of this machine, PORT and METRICS_PORT to free ports that the site may open`
}
