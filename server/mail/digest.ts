import { InboxUnavailable } from '../inbox/inbox.ts'
import type { MailQueue } from '../inbox/mail-queue.ts'
import type { Logger } from '../log.ts'
import { composeDigest } from './digest-letter.ts'
import { MailError, MISCONFIGURED_ALARM } from './mail-error.ts'
import type { Mailer } from './mailer.ts'
import { DIGEST_INTERVAL_MS, DIGEST_LEASE_MS, QUEUE_TIMEOUT_MS } from './schedule.ts'

export interface DigestOptions {
  queue: Pick<MailQueue, 'claimDigest' | 'confirmDigest' | 'waiting'>
  mailer: Mailer
  log: Logger
}

export interface Digest {
  start(): void
  /** Aborts the send. */
  stop(): Promise<void>
}

/** Mails the daily digest, once over all processes, from eight in the morning in Toronto, or later if none ran then. */
export function createDigest({ queue, mailer, log }: DigestOptions): Digest {
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  /** Date of the digest that this process has leased. */
  let leased: string | undefined
  /** Date of a digest that was accepted and not confirmed yet: it must not be sent again. */
  let accepted: string | undefined

  const getDeadline = () => Date.now() + QUEUE_TIMEOUT_MS

  async function send(): Promise<void> {
    if (accepted === undefined) {
      leased = await queue.claimDigest(DIGEST_LEASE_MS, getDeadline())
      if (leased === undefined) return
      const letter = composeDigest(leased, await queue.waiting(getDeadline()))
      await mailer.send(letter, abort.signal)
      accepted = leased
      log.info({ date: accepted }, 'digest mailed')
    }
    await queue.confirmDigest(accepted, getDeadline())
    accepted = undefined
  }

  function logFailure(err: unknown): void {
    if (abort.signal.aborted) return
    const isLeased = accepted === undefined && leased !== undefined
    const retryMs = isLeased ? DIGEST_LEASE_MS : DIGEST_INTERVAL_MS
    if (accepted !== undefined) {
      const fields = { err, date: accepted, retryMs }
      log.warn(fields, 'digest mailed but not confirmed in the inbox; it will be confirmed again')
    } else if (err instanceof MailError) {
      const { kind, detail } = err
      if (kind === 'misconfigured') log.error({ detail }, MISCONFIGURED_ALARM)
      else log.warn({ detail, retryMs }, 'digest could not be mailed; it will be tried again')
    } else if (leased !== undefined || !(err instanceof InboxUnavailable)) {
      // Before the lease, the inbox logs itself that it is unavailable.
      log.error({ err, retryMs }, 'digest failed; it will be tried again')
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
    start() {
      timer = setInterval(poll, DIGEST_INTERVAL_MS).unref()
      poll()
    },
    async stop() {
      clearInterval(timer)
      abort.abort()
      await running
    },
  }
}
