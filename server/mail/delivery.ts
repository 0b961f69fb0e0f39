import type { Mail, MailOutcome } from '../inbox/mail-queue.ts'
import type { Logger } from '../log.ts'
import { MailFault, MISCONFIGURED_ALARM } from './mail-error.ts'
import type { Mailer } from './mailer.ts'
import { composeMessage } from './message-letter.ts'
import type { OutboxPace } from './outbox-pace.ts'
import { backOff, planRetry } from './retry-schedule.ts'

export interface AttemptParts {
  mailer: Mailer
  log: Logger
  random: () => number
  pace: Pick<OutboxPace, 'retries' | 'pauses'>
}

export interface Attempts {
  /** Tries to mail a message, and decides what becomes of it. Never rejects. */
  attempt(mail: Mail, signal: AbortSignal): Promise<MailOutcome>
  /** For how many ms nothing is to be tried, because our own settings are at fault; 0 when they are not. */
  getPause(): number
  /** True from a fault of our settings until a mail goes. */
  isMisconfigured(): boolean
}

export function createAttempts({ mailer, log, random, pace }: AttemptParts): Attempts {
  let misconfigurations = 0
  /** By performance.now(), which no correction of the clock moves. */
  let pausedUntil = 0

  async function attempt(mail: Mail, signal: AbortSignal): Promise<MailOutcome> {
    try {
      const response = await mailer.send(composeMessage(mail.message), signal)
      misconfigurations = 0
      log.info({ reference: mail.message.reference }, 'message mailed')
      return { kind: 'mailed', response }
    } catch (error) {
      return judge(mail, error)
    }
  }

  function judge(mail: Mail, error: unknown): MailOutcome {
    const { reference } = mail.message
    const fault = error instanceof MailFault ? error : undefined
    // What a library says of a message that it cannot write may hold the message.
    const details = { reference, tries: mail.attempts + 1, fault: fault?.note ?? 'not writable' }
    const text = Error.isError(error) ? error.message : String(error)
    if (fault?.misconfigured) {
      log.error(details, MISCONFIGURED_ALARM)
      pause()
      // It was not the message's fault, so it does not die of it.
      return { kind: 'later', afterMs: getPause(), error: text }
    }
    const afterMs = planRetry(mail, pace.retries, random)
    if (afterMs !== undefined) {
      log.warn(details, 'a message could not be mailed yet')
      return { kind: 'later', afterMs, error: text }
    }
    log.error(details, 'message given up; it stays in the inbox as dead; run inbox retry')
    return { kind: 'dead', error: text }
  }

  function getPause(): number {
    return Math.max(0, Math.round(pausedUntil - performance.now()))
  }

  function pause(): void {
    // Several sends that fail together count once.
    if (getPause() > 0) return
    pausedUntil = performance.now() + backOff(misconfigurations, pace.pauses, random)
    misconfigurations += 1
  }

  return {
    attempt,
    getPause,
    isMisconfigured: () => misconfigurations > 0,
  }
}
