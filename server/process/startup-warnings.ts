import { company } from '../../shared/content/company.ts'
import { findPlaceholders } from '../../shared/content/placeholders.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { findPlainHost } from '../config/database-url.ts'
import { isLoopback } from '../config/networks.ts'
import { InboxUnavailable } from '../inbox/inbox.ts'
import { explainUnavailable } from '../inbox/unavailable-text.ts'
import type { Logger } from '../log.ts'
import { reportMailing } from '../mail/mail-service.ts'
import { StartFailed } from './supervisor.ts'

/** Says at the start what is not as it should be, though it keeps nobody from starting. */
export function warnOfStart(config: Config, log: Logger): void {
  const placeholders = findPlaceholders(company)
  if (placeholders.length > 0) {
    log.warn(
      { placeholders },
      'facts about the firm are placeholders: edit shared/content/company.json',
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

/** Why the site does not start, as whoever started it reads it. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof StartFailed) return error.message
  if (error instanceof InboxUnavailable) return explainUnavailable(error)
  const { syscall, message } = error as NodeJS.ErrnoException
  if (!['listen', 'bind', 'getaddrinfo'].includes(syscall ?? '')) return error
  return `The site cannot listen there (${message}): set HOST, PORT and METRICS_PORT to what is free on this machine`
}
