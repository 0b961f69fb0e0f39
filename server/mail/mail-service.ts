import { company } from '../../shared/content/company.ts'
import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/networks.ts'
import type { MailQueue } from '../inbox/mail-queue.ts'
import type { Logger } from '../log.ts'
import { type MailResult, watchMailer } from './counted-mailer.ts'
import { createDigest } from './digest.ts'
import type { MailFault } from './mail-error.ts'
import { createMailer, type MailerOptions } from './mailer.ts'
import { createOutbox } from './outbox.ts'
import type { OutboxPace } from './outbox-pace.ts'

export interface Mailing {
  start(): void
  /** To be called when a message was kept; returns at once. */
  wake(): void
  /** Resolves within the grace, in ms, and the time that the inbox may take to note how it ended. */
  stop(grace: number): Promise<void>
}

const NOT_LOADED_ALARM =
  'nodemailer could not be loaded; nothing can be mailed; install the packages (npm ci)'

/** Says at the start where mail goes, and what is not as it should be. */
export function reportMailing(settings: Config['mail'], log: Logger): void {
  if (!settings) {
    log.warn(
      'nothing is mailed: SMTP_URL, MAIL_FROM and MAIL_TO are not set; messages wait in the inbox',
    )
    return
  }
  const { host, port, tls } = settings.server
  log.info({ server: `${host}:${port}`, tls }, 'messages are mailed')
  if (tls === 'off' && !isLoopback(host)) {
    log.warn({ host }, 'SMTP_URL has tls=off: mail and password cross the network for all to read')
  }
}

/** All that mails: messages as they come, and a digest each day. */
export function createMailing(
  settings: NonNullable<Config['mail']> & Pick<MailerOptions, 'load'>,
  queue: MailQueue,
  log: Logger,
  onResult: (result: MailResult) => void = () => {},
  pace?: OutboxPace,
): Mailing {
  const smtp = createMailer({ ...settings, senderName: company.legalName.fr })
  const mailer = watchMailer(smtp, onResult)
  const outbox = createOutbox({ queue, mailer, log, pace })
  const digest = createDigest({ queue, mailer, log })

  return {
    start() {
      // Now, while the packages are there: a later installation may take them away from under a running site.
      smtp.prepare().catch(({ note }: MailFault) => log.error({ fault: note }, NOT_LOADED_ALARM))
      outbox.start()
      digest.start()
    },
    wake: outbox.wake,
    async stop(grace) {
      await Promise.all([outbox.stop(grace), digest.stop()])
    },
  }
}
