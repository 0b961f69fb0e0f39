import type { RetentionPeriods } from '../../shared/page-state.ts'
import type { Mail, MailOutcome } from '../inbox/inbox.ts'
import type { Logger } from '../log.ts'
import { MailError, MISCONFIGURED_ALARM } from './mail-error.ts'
import type { Mailer } from './mailer.ts'
import { composeMessage } from './message-letter.ts'
import { findRetryDelayMs, getBackoffMs, type OutboxPace } from './schedule.ts'

export interface DeliveryParts {
  mailer: Mailer
  log: Logger
  /** The letter names the day of erasure, which depends on these periods. */
  periods?: RetentionPeriods
  pace: OutboxPace
}

export function createDelivery({ mailer, log, periods, pace }: DeliveryParts) {
  let misconfigurations = 0
  /** A time of performance.now(), because clock corrections do not change it. */
  let pausedUntil = 0

  function decide(mail: Mail, error: unknown): MailOutcome {
    const { reference } = mail.message
    const mailError = error instanceof MailError ? error : undefined
    // The text of other errors may quote the visitor's message, which must not get into the log.
    const detail = mailError?.detail ?? 'unexpected error'
    const fields = { reference, detail }
    const text = Error.isError(error) ? error.message : String(error)
    if (mailError?.kind === 'misconfigured') {
      pause()
      const retryMs = getPauseMs()
      log.error({ ...fields, retryMs }, MISCONFIGURED_ALARM)
      return { kind: 'later', afterMs: retryMs, error: text, isMisconfigured: true }
    }
    const tries = mail.attempts + 1
    const afterMs = findRetryDelayMs(mail.attempts, pace.retries)
    if (afterMs !== undefined) {
      log.warn({ ...fields, tries, retryMs: afterMs }, 'message not mailed; it will be retried')
      return { kind: 'later', afterMs, error: text }
    }
    log.error(
      { ...fields, tries },
      'message not mailed: all retries failed, so its status is now dead; it is tried once more after each daily letter',
    )
    return { kind: 'dead', error: text }
  }

  /** Remaining pause after an error in our settings, in ms; 0 when there is no pause. */
  function getPauseMs(): number {
    return Math.max(0, Math.round(pausedUntil - performance.now()))
  }

  function pause(): void {
    // Concurrent sends that fail together count once.
    if (getPauseMs() > 0) return
    pausedUntil = performance.now() + getBackoffMs(misconfigurations, pace.pauses)
    misconfigurations += 1
  }

  return {
    /** Sends the mail of a message. Resolves to the outcome that the queue records; never rejects. */
    async deliver(mail: Mail, signal: AbortSignal): Promise<MailOutcome> {
      try {
        const response = await mailer.send(composeMessage(mail.message, periods), signal)
        misconfigurations = 0
        log.info({ reference: mail.message.reference }, 'message mailed')
        return { kind: 'mailed', response }
      } catch (error) {
        return decide(mail, error)
      }
    },
    getPauseMs,
    /** True after an error in our settings, until the server accepts a mail. */
    isMisconfigured: () => misconfigurations > 0,
  }
}
