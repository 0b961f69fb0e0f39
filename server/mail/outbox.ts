import { InboxUnavailable } from '../inbox/inbox.ts'
import type { Mail, MailOutcome, MailQueue } from '../inbox/mail-queue.ts'
import type { Logger } from '../log.ts'
import { createAttempts } from './delivery.ts'
import type { Mailer } from './mailer.ts'
import { OUTBOX_PACE, type OutboxPace } from './outbox-pace.ts'
import { createBell } from './wakeable-timer.ts'

export interface OutboxOptions {
  queue: Pick<MailQueue, 'claim' | 'settle' | 'nextDueIn'>
  mailer: Mailer
  log: Logger
  random?: () => number
  pace?: OutboxPace
}

export interface Outbox {
  start(): void
  /** Looks for mail at once. */
  wake(): void
  /** Lets what is being sent finish for so many ms, then breaks it off; resolves when all is noted. */
  stop(grace: number): Promise<void>
}

/** Mails what is queued, at least once: a mail whose acceptance was lost goes again. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { queue, mailer, log, random = Math.random, pace = OUTBOX_PACE } = options
  const attempts = createAttempts({ mailer, log, random, pace })
  const bell = createBell()
  const breakOff = new AbortController()
  const sending = new Set<Promise<void>>()
  let running = Promise.resolve()
  let stopping = false

  const deadline = () => Date.now() + pace.patience

  async function run(): Promise<void> {
    while (!stopping) await bell.wait(await takeOn().catch(recover))
  }

  /** Starts to send what is due; resolves to how long there is nothing more to do. */
  async function takeOn(): Promise<number> {
    const pause = attempts.getPause()
    if (pause > 0) return pause
    // One mail shows whether our settings are mended.
    const atOnce = attempts.isMisconfigured() ? 1 : pace.atOnce
    const limit = atOnce - sending.size
    // The next send that ends rings.
    if (limit <= 0) return pace.longestRest
    const mails = await queue.claim({ limit, leaseMs: pace.lease }, deadline())
    for (const mail of mails) {
      const sent = deliver(mail, performance.now() + pace.lease).finally(() => {
        sending.delete(sent)
        bell.ring()
      })
      sending.add(sent)
    }
    if (mails.length >= limit) return pace.longestRest
    const rest = (await queue.nextDueIn(deadline())) ?? pace.longestRest
    return Math.max(pace.shortestRest, Math.min(rest, pace.longestRest))
  }

  function recover(err: unknown): number {
    // An inbox that is unavailable says so itself.
    if (!(err instanceof InboxUnavailable)) log.error({ err }, 'the outbox failed')
    return pace.shortestRest
  }

  async function deliver(mail: Mail, leaseEnd: number): Promise<void> {
    const outcome = stopping
      ? ({ kind: 'later', afterMs: 0, error: 'stopped before it was tried' } as const)
      : await attempts.attempt(mail, breakOff.signal)
    const { reference } = mail.message
    while (!(await settle(mail, outcome))) {
      if (stopping || performance.now() >= leaseEnd) {
        log.warn(
          { reference, outcome: outcome.kind },
          'outcome of a mail could not be noted; the mail goes again when its lease ends',
        )
        return
      }
      await new Promise((resolve) => setTimeout(resolve, pace.shortestRest).unref())
    }
  }

  /** False when the queue cannot note it now. */
  async function settle(mail: Mail, outcome: MailOutcome): Promise<boolean> {
    try {
      const held = await queue.settle(mail, outcome, deadline())
      const details = { reference: mail.message.reference, outcome: outcome.kind }
      if (!held)
        log.warn(
          details,
          'lease lost: the message was erased or archived, or the lease ended; in the last case the mail may go twice',
        )
      return true
    } catch (error) {
      recover(error)
      return false
    }
  }

  return {
    start() {
      running = run()
    },
    wake: bell.ring,
    async stop(grace) {
      stopping = true
      bell.ring()
      const timer = setTimeout(() => breakOff.abort(), grace)
      await running
      await Promise.all(sending)
      clearTimeout(timer)
    },
  }
}
