import type { RetentionPeriods } from '../../shared/page-state.ts'
import { InboxUnavailable, type MailQueue } from '../inbox/inbox.ts'
import type { Logger } from '../log.ts'
import { composeDigest } from './digest-letter.ts'
import { MailError, MISCONFIGURED_ALARM } from './mail-error.ts'
import type { Mailer } from './mailer.ts'
import { DIGEST_INTERVAL_MS, DIGEST_LEASE, QUEUE_TIMEOUT_MS } from './schedule.ts'

interface DigestOptions {
  queue: Pick<MailQueue, 'leaseDigest' | 'confirmDigest' | 'waiting' | 'requeueDead'>
  mailer: Mailer
  log: Logger
  periods?: RetentionPeriods
}

const REQUEUE_BATCH = 200

/** An accepted letter proves that mail works, so all dead messages are then retried once. */
export function createDigest({ queue, mailer, log, periods }: DigestOptions) {
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  /** Date of the letter that this process has leased. */
  let leased: string | undefined
  /** Date of a letter that was accepted but not yet recorded: it must not be sent again. */
  let accepted: string | undefined
  let hasTexts = true
  /** Failures since a letter was accepted. The letter may have arrived each time, if only the answer was lost. */
  let failures = 0

  const getLeaseMs = () => Math.min(DIGEST_LEASE.firstMs * 2 ** failures, DIGEST_LEASE.maxMs)
  const getDeadline = () => Date.now() + QUEUE_TIMEOUT_MS

  async function send(): Promise<void> {
    if (accepted === undefined) {
      leased = await queue.leaseDigest(getLeaseMs(), getDeadline())
      if (leased === undefined) return
      const content = await queue.waiting(getDeadline())
      await mailer.send(composeDigest(leased, content, { periods, hasTexts }), abort.signal)
      accepted = leased
      hasTexts = true
      failures = 0
      log.info({ date: accepted }, 'daily letter mailed')
    }
    await requeueDead()
    await queue.confirmDigest(accepted, getDeadline())
    accepted = undefined
  }

  async function requeueDead(): Promise<void> {
    let count = 0
    let after: string | undefined
    do {
      const references = await queue.requeueDead({ limit: REQUEUE_BATCH, after }, getDeadline())
      count += references.length
      after = references.at(-1)
    } while (after !== undefined)
    if (count > 0) log.info({ count }, 'dead messages queued again')
  }

  function logFailure(err: unknown): void {
    if (abort.signal.aborted) return
    if (accepted !== undefined) {
      log.warn(
        { err, date: accepted, retryMs: DIGEST_INTERVAL_MS },
        'daily letter mailed, but the inbox did not record it; recording will be retried',
      )
      return
    }
    const retryMs = leased === undefined ? DIGEST_INTERVAL_MS : getLeaseMs()
    if (err instanceof MailError) logMailError(err, retryMs)
    // The inbox logs its own failed writes, but not failed reads: once `leased` is set, the read `waiting` failed.
    else if (leased !== undefined || !(err instanceof InboxUnavailable))
      log.error({ err, retryMs }, 'daily letter could not be prepared; it will be retried')
  }

  function logMailError({ kind, detail }: MailError, retryMs: number): void {
    if (kind === 'misconfigured') {
      log.error({ date: leased, detail, retryMs }, MISCONFIGURED_ALARM)
    } else if (kind === 'refused' && hasTexts) {
      hasTexts = false
      log.warn(
        { detail, retryMs },
        'daily letter refused by the mail server; it will be retried without the texts of messages',
      )
    } else {
      failures += 1
      log.warn({ detail, retryMs }, 'daily letter could not be mailed; it will be retried')
    }
  }

  function poll(): void {
    if (running) return
    leased = undefined
    running = send()
      .catch(logFailure)
      .finally(() => {
        running = undefined
      })
  }

  return {
    start(): void {
      timer = setInterval(poll, DIGEST_INTERVAL_MS).unref()
      poll()
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      abort.abort()
      await running
    },
  }
}
