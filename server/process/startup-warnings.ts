import { company, findPlaceholders } from '../../shared/content/company.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { findPlainHost } from '../config/database-url.ts'
import { isLoopback } from '../config/networks.ts'
import { explainUnavailable, InboxUnavailable } from '../inbox/inbox.ts'
import type { Logger } from '../log.ts'
import { reportMailing } from '../mail/mail-service.ts'
import { StartFailed } from './supervisor.ts'

/** Logs every fault of the set-up that does not prevent a start. */
export function logStartupWarnings(config: Config, log: Logger): void {
  const placeholders = findPlaceholders(company)
  if (placeholders.length > 0) {
    log.warn(
      { placeholders },
      'facts about the firm are placeholders; edit shared/content/company.json',
    )
  }
  if (!isLoopback(config.host) && config.publicOrigins.length === 0) {
    log.warn('PUBLIC_URL is not set: any Host is served, and links name localhost')
  }
  const host = findPlainHost(config.database)
  if (host) {
    log.warn(
      { host },
      'DATABASE_URL asks for no TLS: messages cross the network unencrypted; add ?sslmode=verify-full',
    )
  }
  reportMailing(config.mail, log)
}

const LISTEN_CALLS = ['listen', 'bind', 'getaddrinfo']

/** The reason for a failed start, for the operator; an unexpected error as it is. */
export function explainStartFailure(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof StartFailed) return error.message
  if (error instanceof InboxUnavailable) return explainUnavailable(error)
  const { syscall = '', message } = error as NodeJS.ErrnoException
  if (!LISTEN_CALLS.includes(syscall)) return error
  return `The site cannot listen there (${message}): set HOST, PORT and METRICS_PORT to what is free on this machine`
}
