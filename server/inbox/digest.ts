import type { Logger } from '../log.ts'
import { composeDigest } from './digest-letter.ts'
import { InboxUnavailable } from './inbox.ts'
import { MailFault, MISCONFIGURED_ALARM } from './mail-fault.ts'
import type { MailQueue } from './mail-queue.ts'
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

  const deadline = () => Date.now() + PATIENCE_MS

  async function send(): Promise<void> {
    const date = await queue.claimDigest(LEASE_MS, deadline())
    if (date === undefined) return
    await mailer.send(composeDigest(date, await queue.waiting(deadline())), breakOff.signal)
    await queue.confirmDigest(date, deadline())
    log.info({ date }, 'digest mailed')
  }

  function report(err: unknown): void {
    if (err instanceof InboxUnavailable || breakOff.signal.aborted) return
    if (!(err instanceof MailFault)) log.error({ err }, 'digest failed; next try in 10 minutes')
    else if (err.misconfigured) log.error({ fault: err.note }, MISCONFIGURED_ALARM)
    else log.warn({ fault: err.note }, 'digest could not be mailed; next try in 10 minutes')
  }

  function look(): void {
    if (running) return
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
