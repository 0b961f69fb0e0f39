import { setTimeout as wait } from 'node:timers/promises'
import type { RetentionPeriods } from '../../shared/retention.ts'
import { DAY_MS, HOUR_MS } from '../inbox/clock.ts'
import { leaseMail, type Mail, type MailOutcome, settleMail } from '../inbox/mail-queue.ts'
import type { Store } from '../inbox/store.ts'
import { StoreUnavailable } from '../inbox/store-errors.ts'
import type { Logger } from '../log.ts'
import type { Conditions } from './conditions.ts'
import { composeDailyLetter } from './daily-letter.ts'
import { MailError, type Mailer } from './mailer.ts'
import { composeMessageMail } from './message-mail.ts'

export const MAIL_PACE = {
  /** Longer than the longest send. */
  leaseMs: 2 * 60_000,
  spacingMs: 30_000,
  many: 10,
  /** Maximum wait: finds mails that other processes queued, and the daily letter. */
  pollMs: 30_000,
  /** Pause after a failure of the inbox. */
  retryMs: 1000,
  /** 22 tries take five days on average. They are counted, because mail may have been off for days. */
  tries: { firstMs: 30_000, maxMs: 8 * HOUR_MS, count: 22 },
  /** Pauses of all mail while our settings are wrong: servers lock out clients whose logins often fail. */
  pauses: { firstMs: 30_000, maxMs: 15 * 60_000 },
}
export type MailPace = typeof MAIL_PACE

interface MailingOptions {
  store: Store
  mailer: Mailer
  log: Logger
  /** The mails name the day of erasure, which depends on these periods. */
  periods: RetentionPeriods
  /** Returns the problems for the daily letter. */
  findConditions: () => Conditions
  pace?: MailPace
}

export type Mailing = ReturnType<typeof startMailing>

/** Growing delays, up to half longer at random, so that many retries spread out. */
const getDelayMs = (failures: number, { firstMs, maxMs }: MailPace['pauses']) =>
  Math.round(Math.min(firstMs * 2 ** failures, maxMs) * (1 + Math.random() / 2))

const identify = ({ message, letter }: Mail) =>
  message ? { reference: message.reference } : { letter: letter.date }

/** Ends early when the signal is aborted. */
const rest = (ms: number, signal: AbortSignal) =>
  wait(ms, undefined, { signal, ref: false }).catch(() => {})

/** Mails what is due, one after the other, at least once: after a lost answer of the mail server, a mail is sent again. */
export function startMailing(options: MailingOptions) {
  const { store, mailer, log, periods, findConditions, pace = MAIL_PACE } = options
  const stopping = new AbortController()
  const breakingOff = new AbortController()
  let waking = new AbortController()
  let misconfigurations = 0

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      waking = new AbortController()
      try {
        const mail = await leaseMail(store, pace)
        if (mail) await sendAndSettle(mail)
        else await rest(pace.pollMs, AbortSignal.any([waking.signal, stopping.signal]))
      } catch (err) {
        // The store logs its outages itself.
        if (!(err instanceof StoreUnavailable)) log.error({ err }, 'the mail queue failed')
        await rest(pace.retryMs, stopping.signal)
      }
    }
  }

  async function sendAndSettle(mail: Mail): Promise<void> {
    const leaseEnd = performance.now() + pace.leaseMs
    const outcome = await send(mail)
    const settle = () => settleMail(store, mail, outcome).catch(() => undefined)
    let isSettled = await settle()
    while (isSettled === undefined && !stopping.signal.aborted && performance.now() < leaseEnd) {
      await rest(pace.retryMs, stopping.signal)
      isSettled = await settle()
    }
    if (!isSettled) log.warn(identify(mail), 'mail outcome not recorded; it may be sent again')
    if (outcome.kind === 'misconfigured') await rest(outcome.afterMs, stopping.signal)
  }

  async function send(mail: Mail): Promise<MailOutcome> {
    try {
      const outgoing = mail.message
        ? composeMessageMail(mail.message, periods)
        : composeDailyLetter(mail.letter, findConditions(), periods, mail.attempts)
      const response = await mailer.send(outgoing, breakingOff.signal)
      misconfigurations = 0
      log.info(identify(mail), mail.message ? 'message mailed' : 'daily letter mailed')
      return { kind: 'mailed', response }
    } catch (error) {
      return decide(mail, error as Error)
    }
  }

  function decide(mail: Mail, error: Error): MailOutcome {
    const isMailError = error instanceof MailError
    // The text of an error may quote the visitor's message, which must not get into the log.
    const fields = { ...identify(mail), detail: isMailError ? error.detail : error.name }
    if (isMailError && error.variable) {
      const afterMs = getDelayMs(misconfigurations, pace.pauses)
      misconfigurations += 1
      const text = `mail is misconfigured: nothing can be mailed until ${error.variable} is right`
      log.error({ ...fields, retryMs: afterMs }, text)
      return { kind: 'misconfigured', afterMs, error: error.message }
    }
    const tries = mail.attempts + 1
    if (mail.letter || tries < pace.tries.count) {
      const afterMs = getDelayMs(mail.attempts, pace.tries)
      log.warn({ ...fields, tries, retryMs: afterMs }, 'mail not confirmed; it will be retried')
      return { kind: 'later', afterMs, error: error.message }
    }
    log.error({ ...fields, tries }, 'message not mailed after many tries; it is tried once a day')
    const kind = mail.message.status === 'dead' ? 'later' : 'dead'
    return { kind, afterMs: DAY_MS, error: error.message }
  }

  const running = run()
  return {
    /** Looks for mail at once, unless settings are wrong. Call it when a message was stored. */
    wake: () => waking.abort(),
    /** Gives a send in progress this time, then breaks it off. Resolves when its outcome is recorded. */
    async stop(graceMs: number): Promise<void> {
      stopping.abort()
      const timer = setTimeout(() => breakingOff.abort(), graceMs)
      await running
      clearTimeout(timer)
    },
  }
}
