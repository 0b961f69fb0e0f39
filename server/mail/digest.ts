import { InboxUnavailable } from '../inbox/inbox.ts'
import type { MailQueue } from '../inbox/mail-queue.ts'
import type { Logger } from '../log.ts'
import { composeDigest } from './digest-letter.ts'
import { MailFault, MISCONFIGURED_ALARM } from './mail-error.ts'
import type { Mailer } from './mailer.ts'

const PATIENCE_MS = 5000

// Asking each minute follows changes of the clock and of summer time by itself.
const LOOK_INTERVAL_MS = 60_000
/** Also how long a day that failed waits before it is tried again, here or by another process. */
const LEASE_MS = 10 * 60_000

export interface DigestOptions {
  queue: Pick<MailQueue, 'claimDigest' | 'confirmDigest' | 'waiting'>
  mailer: Mailer
  log: Logger
}

export interface Digest {
  start(): void
  /** Breaks off what is being sent. */
  stop(): Promise<void>
}

/**
 * Mails once a day what waits, over all processes, from eight in the morning where the firm is;
 * a process that starts later in the day makes up for it.
 */
export function createDigest({ queue, mailer, log }: DigestOptions): Digest {
  const breakOff = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  /** Date of the digest that this process may send. */
  let leased: string | undefined
  /** Date of the digest that went and is not confirmed: it must not go again. */
  let mailed: string | undefined

  const deadline = () => Date.now() + PATIENCE_MS

  async function send(): Promise<void> {
    if (mailed === undefined) {
      leased = await queue.claimDigest(LEASE_MS, deadline())
      if (leased === undefined) return
      const letter = composeDigest(leased, await queue.waiting(deadline()))
      await mailer.send(letter, breakOff.signal)
      mailed = leased
      log.info({ date: mailed }, 'digest mailed')
    }
    await queue.confirmDigest(mailed, deadline())
    mailed = undefined
  }

  function report(err: unknown): void {
    if (breakOff.signal.aborted) return
    const retryMs = mailed === undefined && leased !== undefined ? LEASE_MS : LOOK_INTERVAL_MS
    if (mailed !== undefined) {
      log.warn(
        { err, date: mailed, retryMs },
        'digest mailed but not confirmed in the inbox; it is confirmed again',
      )
    } else if (err instanceof MailFault) {
      if (err.misconfigured) log.error({ fault: err.note }, MISCONFIGURED_ALARM)
      else log.warn({ fault: err.note, retryMs }, 'digest could not be mailed; it is tried again')
    } else if (leased !== undefined || !(err instanceof InboxUnavailable)) {
      // Before the lease, an inbox that is unavailable says so itself.
      log.error({ err, retryMs }, 'digest failed; it is tried again')
    }
  }

  function look(): void {
    if (running) return
    leased = undefined
    running = send()
      .catch(report)
      .finally(() => {
        running = undefined
      })
  }

  return {
    start() {
      timer = setInterval(look, LOOK_INTERVAL_MS).unref()
      look()
    },
    async stop() {
      clearInterval(timer)
      breakOff.abort()
      await running
    },
  }
}
