import type { RetentionPeriods } from '../../shared/retention.ts'
import { MAX_RETRY_DELAY_MS } from '../inbox/clock.ts'
import type { Mail, MailOutcome } from '../inbox/inbox.ts'
import type { Logger } from '../log.ts'
import { composeDigest } from './digest-letter.ts'
import { MailError, type MailResult, MISCONFIGURED_ALARM } from './mail-error.ts'
import type { Mailer } from './mailer.ts'
import { composeMessage } from './message-letter.ts'

export const DELIVERY_PACE = {
  /** 22 tries take five days on average. The limit is not a time, because mail may be off for days. */
  retries: { firstMs: 30_000, maxMs: MAX_RETRY_DELAY_MS, maxTries: 22 },
  /** Pauses of the whole outbox while our settings are wrong: servers lock out clients whose logins often fail. */
  pauses: { firstMs: 30_000, maxMs: 15 * 60_000 },
}
type DeliveryPace = typeof DELIVERY_PACE

export interface DeliveryDeps {
  mailer: Mailer
  log: Logger
  /** The letters name the day of erasure, which depends on these periods. */
  periods: RetentionPeriods
  onResult?: (result: MailResult) => void
  pace: DeliveryPace
}

/** Exponential backoff. Adds up to half of the delay at random, so that many retries spread out. */
function getBackoffMs(failures: number, { firstMs, maxMs }: DeliveryPace['pauses']): number {
  return Math.min(firstMs * 2 ** failures, maxMs / 1.5) * (1 + Math.random() / 2)
}

/** Log fields that name a mail. */
export function identify({ id, message }: Mail) {
  return message ? { reference: id } : { date: id }
}

export function createDelivery(parts: DeliveryDeps) {
  const { mailer, log, periods, onResult = () => {}, pace } = parts
  let misconfigurations = 0
  /** A time of performance.now(), because clock corrections do not change it. */
  let pausedUntil = 0

  function decide(mail: Mail, error: unknown): MailOutcome {
    const { kind, detail } =
      error instanceof MailError
        ? error
        : // The text of other errors may quote the visitor's message, which must not get into the log.
          { kind: 'later' as const, detail: 'unexpected error' }
    const fields = { ...identify(mail), detail }
    const text = Error.isError(error) ? error.message : String(error)
    if (kind === 'misconfigured') {
      pause()
      const retryMs = getPauseMs()
      log.error({ ...fields, retryMs }, MISCONFIGURED_ALARM)
      return { kind, afterMs: retryMs, error: text }
    }
    const tries = mail.attempts + 1
    if (tries < pace.retries.maxTries) {
      const afterMs = Math.round(getBackoffMs(mail.attempts, pace.retries))
      log.warn({ ...fields, tries, retryMs: afterMs }, 'delivery not confirmed; it will be retried')
      return { kind, afterMs, error: text }
    }
    // Only a message has so many tries: the letter of the next day replaces a daily letter.
    log.error(
      { ...fields, tries },
      'message not mailed: all retries failed, so its status is now dead; it is tried again once a daily letter is accepted',
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
    /** Sends a mail. Resolves to the outcome that the queue records; never rejects. */
    async deliver(mail: Mail, signal: AbortSignal): Promise<MailOutcome> {
      try {
        const letter = mail.message
          ? composeMessage(mail.message, periods)
          : composeDigest(mail.id, mail.digest, periods)
        const response = await mailer.send(letter, signal)
        misconfigurations = 0
        onResult('accepted')
        log.info(identify(mail), mail.message ? 'message mailed' : 'daily letter mailed')
        return { kind: 'mailed', response }
      } catch (error) {
        const outcome = decide(mail, error)
        const result = outcome.kind === 'misconfigured' ? outcome.kind : 'failed'
        onResult(signal.aborted ? 'broken-off' : result)
        return outcome
      }
    },
    /** After an error in our settings, sends pause; then mails are sent one by one, until the server accepts one. */
    getLimits: () => ({ pauseMs: getPauseMs(), maxSends: misconfigurations > 0 ? 1 : Infinity }),
  }
}
