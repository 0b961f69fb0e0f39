import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/networks.ts'
import type { MailQueue } from '../inbox/inbox.ts'
import type { Logger } from '../log.ts'
import type { MailResult } from './mail-error.ts'
import { createMailer } from './mailer.ts'
import { createOutbox } from './outbox.ts'
import { createTransport } from './transport.ts'

export type Mailing = ReturnType<typeof createMailing>

/** Logs that mail is off, or its server, and a warning if it goes unencrypted to another machine. */
export function reportMailing(settings: Config['mail'], log: Logger): void {
  if (!settings) {
    log.warn('mail is off: SMTP_URL, MAIL_FROM and MAIL_TO are not set; messages stay in the inbox')
    return
  }
  const { host, port, tls } = settings.server
  log.info({ server: `${host}:${port}`, tls }, 'mail is on')
  if (tls === 'off' && !isLoopback(host)) {
    log.warn(
      { host },
      'SMTP_URL has tls=off: mail, and any password, cross the network unencrypted',
    )
  }
}

type MailSettings = NonNullable<Config['mail']> & { periods: Config['retention'] }

/** Mails new messages, and a letter each morning. */
export function createMailing(
  { periods, ...settings }: MailSettings,
  queue: MailQueue,
  siteLog: Logger,
  onResult?: (result: MailResult) => void,
) {
  const { host, port } = settings.server
  const log = siteLog.child({ server: `${host}:${port}` })
  const mailer = createMailer({ ...settings, transport: createTransport(settings) })
  return createOutbox({ queue, mailer, log, periods, onResult })
}
