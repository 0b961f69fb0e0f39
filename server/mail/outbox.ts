import type { RetentionPeriods } from '../../shared/page-state.ts'
import type { Mail, MailOutcome, MailQueue } from '../inbox/inbox.ts'
import { InboxUnavailable } from '../inbox/inbox.ts'
import type { Logger } from '../log.ts'
import { createDelivery } from './delivery.ts'
import type { Mailer } from './mailer.ts'
import { OUTBOX_PACE, type OutboxPace } from './schedule.ts'

export interface OutboxOptions {
  queue: Pick<MailQueue, 'lease' | 'settle' | 'nextDueIn'>
  mailer: Mailer
  log: Logger
  random?: () => number
  periods?: RetentionPeriods
  pace?: OutboxPace
}

export interface Outbox {
  start(): void
  /** Polls for mail at once. */
  wake(): void
  /** Lets sends finish for `graceMs`, then aborts them; resolves when all outcomes are recorded. */
  stop(graceMs: number): Promise<void>
}

const NOT_TRIED: MailOutcome = { kind: 'later', afterMs: 0, error: 'stopped before it was tried' }

/** Mails what is queued, at least once: a mail whose acceptance was lost is sent again. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { queue, mailer, log, periods, random = Math.random, pace = OUTBOX_PACE } = options
  const delivery = createDelivery({ mailer, log, random, periods, pace })
  const timer = createWakeableTimer()
  const abort = new AbortController()
  const sends = new Set<Promise<void>>()
  let running = Promise.resolve()
  let isStopping = false

  const getDeadline = () => Date.now() + pace.queueTimeoutMs

  async function run(): Promise<void> {
    while (!isStopping) await timer.wait(await leaseAndSend().catch(logFailure))
  }

  /** Starts to send what is due; resolves to the time until the next poll, in ms. */
  async function leaseAndSend(): Promise<number> {
    const pauseMs = delivery.getPauseMs()
    if (pauseMs > 0) return pauseMs
    // After wrong settings, a single mail probes whether they are fixed.
    const maxSends = delivery.isMisconfigured() ? 1 : pace.maxConcurrentSends
    const limit = maxSends - sends.size
    // The next send that ends wakes the timer.
    if (limit <= 0) return pace.maxRestMs
    const mails = await queue.lease({ limit, leaseMs: pace.leaseMs }, getDeadline())
    for (const mail of mails) {
      const send = sendAndSettle(mail, performance.now() + pace.leaseMs).finally(() => {
        sends.delete(send)
        timer.wake()
      })
      sends.add(send)
    }
    if (mails.length >= limit) return pace.maxRestMs
    const nextMs = (await queue.nextDueIn(getDeadline())) ?? pace.maxRestMs
    return Math.max(pace.minRestMs, Math.min(nextMs, pace.maxRestMs))
  }

  function logFailure(err: unknown): number {
    // The inbox logs itself that it is unavailable.
    if (!(err instanceof InboxUnavailable)) log.error({ err }, 'outbox failed; it polls again')
    return pace.minRestMs
  }

  async function sendAndSettle(mail: Mail, leaseEnd: number): Promise<void> {
    const outcome = isStopping ? NOT_TRIED : await delivery.deliver(mail, abort.signal)
    while (!(await settle(mail, outcome))) {
      if (isStopping || performance.now() >= leaseEnd) {
        log.warn(
          { reference: mail.message.reference, outcome: outcome.kind },
          'mail outcome could not be recorded; the mail is sent again when its lease ends',
        )
        return
      }
      await new Promise((resolve) => setTimeout(resolve, pace.minRestMs).unref())
    }
  }

  /** False when the queue cannot record it now. */
  async function settle(mail: Mail, outcome: MailOutcome): Promise<boolean> {
    try {
      if (!(await queue.settle(mail, outcome, getDeadline()))) {
        log.warn(
          { reference: mail.message.reference, outcome: outcome.kind },
          'mail lease lost: the message was erased or archived, or the lease ended; in the last case the mail may be sent twice',
        )
      }
      return true
    } catch (error) {
      logFailure(error)
      return false
    }
  }

  return {
    start() {
      running = run()
    },
    wake: timer.wake,
    async stop(graceMs) {
      isStopping = true
      timer.wake()
      const grace = setTimeout(() => abort.abort(), graceMs)
      await running
      await Promise.all(sends)
      clearTimeout(grace)
    },
  }
}

function createWakeableTimer() {
  let isWoken = false
  let end = () => {}

  return {
    /** Ends the current wait, or the next one if there is none. */
    wake() {
      isWoken = true
      end()
    },
    /** Does not keep the process alive. */
    async wait(durationMs: number): Promise<void> {
      if (!isWoken) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timeout = setTimeout(resolve, durationMs).unref()
        end = resolve
        await promise
        clearTimeout(timeout)
      }
      isWoken = false
    },
  }
}
