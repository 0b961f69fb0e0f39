import type { Mail, MailOutcome, MailQueue } from '../inbox/inbox.ts'
import { InboxUnavailable } from '../inbox/inbox-errors.ts'
import { createDelivery, DELIVERY_PACE, type DeliveryDeps, identify } from './delivery.ts'

export const OUTBOX_PACE = {
  ...DELIVERY_PACE,
  maxConcurrentSends: 4,
  /** A lease is longer than the longest send. */
  leaseMs: 5 * 60_000,
  /** Maximum wait except in a pause. A poll finds mail that other processes queued, and queues the daily letter. */
  maxRestMs: 30_000,
  /** Minimum wait for the next poll, unless `wake` ends it; also the delay after a failure of the inbox. */
  minRestMs: 1000,
  /** Timeout of one call of the mail queue. */
  queueTimeoutMs: 5000,
}
export type OutboxPace = typeof OUTBOX_PACE

interface OutboxOptions extends Omit<DeliveryDeps, 'pace'> {
  queue: MailQueue
  pace?: OutboxPace
}

export type Outbox = ReturnType<typeof createOutbox>

/** At-least-once delivery: if the server's answer is lost, the mail is sent again. */
export function createOutbox({ queue, pace = OUTBOX_PACE, ...parts }: OutboxOptions) {
  const { log } = parts
  const delivery = createDelivery({ ...parts, pace })
  const timer = createWakeableTimer()
  const abort = new AbortController()
  const sends = new Set<Promise<void>>()
  let running = Promise.resolve()
  let isStopping = false

  const getDeadline = () => Date.now() + pace.queueTimeoutMs

  async function run(): Promise<void> {
    while (!isStopping) await timer.wait(await leaseAndSend().catch(logFailure))
  }

  /** Starts to send due mails; resolves to the time until the next poll, in ms. */
  async function leaseAndSend(): Promise<number> {
    const { pauseMs, maxSends } = delivery.getLimits()
    if (pauseMs > 0) return pauseMs
    const limit = Math.min(maxSends, pace.maxConcurrentSends) - sends.size
    // The timer wakes earlier when a send ends.
    if (limit <= 0) return pace.maxRestMs
    await queue.queueDigest(getDeadline())
    const mails = await queue.lease(getDeadline(), { limit, leaseMs: pace.leaseMs })
    for (const mail of mails) {
      const send = sendAndRecord(mail, Date.now() + pace.leaseMs).finally(() => {
        sends.delete(send)
        timer.wake()
      })
      sends.add(send)
    }
    // All places are taken, so here too a send that ends wakes the timer.
    if (mails.length >= limit) return pace.maxRestMs
    const nextMs = (await queue.nextDueIn(getDeadline())) ?? pace.maxRestMs
    return Math.max(pace.minRestMs, Math.min(nextMs, pace.maxRestMs))
  }

  function logFailure(err: unknown): number {
    // The inbox logs its outages itself.
    if (!(err instanceof InboxUnavailable))
      log.error({ err }, 'the mail queue could not be read or changed; it will be tried again')
    return pace.minRestMs
  }

  async function sendAndRecord(mail: Mail, leaseEnd: number): Promise<void> {
    const outcome = await delivery.deliver(mail, abort.signal)
    while (!(await record(mail, outcome))) {
      if (isStopping || Date.now() >= leaseEnd) {
        log.warn(
          { ...identify(mail), outcome: outcome.kind },
          'mail outcome could not be recorded; the mail is sent again when its lease ends, even if it was accepted',
        )
        return
      }
      await new Promise((resolve) => setTimeout(resolve, pace.minRestMs).unref())
    }
  }

  /** Returns false when a later try may succeed; true also when the lease is lost. */
  async function record(mail: Mail, outcome: MailOutcome): Promise<boolean> {
    try {
      if (!(await queue.settle(getDeadline(), mail, outcome))) {
        log.warn(
          { ...identify(mail), outcome: outcome.kind },
          'mail outcome not recorded: the queue has changed the mail meanwhile; unless it was erased or archived, it may be sent twice',
        )
      }
      return true
    } catch (error) {
      logFailure(error)
      return false
    }
  }

  return {
    start(): void {
      running = run()
    },
    /** Polls for mail at once, except in a pause. */
    wake: timer.wake,
    /** Gives running sends `mailMs` to finish, then aborts them. Resolves after a last try to record each outcome. */
    async stop(mailMs: number): Promise<void> {
      isStopping = true
      timer.wake()
      const grace = setTimeout(() => abort.abort(), mailMs)
      await running
      await Promise.all(sends)
      clearTimeout(grace)
    },
  }
}

function createWakeableTimer() {
  let end = Promise.withResolvers<void>()
  return {
    /** Ends the current wait; without a current wait, ends the next one. */
    wake: () => end.resolve(),
    /** The timer does not keep the process alive. */
    async wait(durationMs: number): Promise<void> {
      const timeout = setTimeout(end.resolve, durationMs).unref()
      await end.promise
      clearTimeout(timeout)
      end = Promise.withResolvers()
    },
  }
}
