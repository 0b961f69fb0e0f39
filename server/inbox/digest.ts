import type { Logger } from '../log.ts'
import { composeDigest } from './digest-letter.ts'
import { InboxUnavailable } from './inbox.ts'
import { MailFault, MISCONFIGURED_ALARM } from './mail-fault.ts'
import type { MailQueue } from './mail-queue.ts'
import { toLocal } from './mail-text.ts'
import type { Mailer } from './mailer.ts'

const HOUR_OF_DAY = 8
const PATIENCE = 5000

// Looking each minute follows changes of the clock and of summer time by itself.
const LOOK_INTERVAL = 60_000
/** Before the same day is tried again, here or by another process; longer than the lease. */
const RETRY_INTERVAL = 10 * 60_000
const LEASE = 5 * 60_000

export interface DigestOptions {
  queue: Pick<MailQueue, 'claimDigest' | 'confirmDigest' | 'waiting'>
  mailer: Mailer
  log: Logger
  /** The time in epoch ms. */
  now?: () => number
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
export function createDigest({ queue, mailer, log, now = Date.now }: DigestOptions): Digest {
  const breakOff = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let doneFor = ''
  let notBefore = 0

  const deadline = () => Date.now() + PATIENCE

  async function send(date: string): Promise<void> {
    if (!(await queue.claimDigest(date, LEASE, deadline()))) return
    await mailer.send(composeDigest(date, await queue.waiting(deadline())), breakOff.signal)
    doneFor = date
    await queue.confirmDigest(date, deadline())
    log.info({ date }, 'digest mailed')
  }

  function report(err: unknown): void {
    if (err instanceof InboxUnavailable || breakOff.signal.aborted) return
    if (!(err instanceof MailFault)) log.error({ err }, 'the digest failed')
    else if (err.misconfigured) log.error({ fault: err.note }, MISCONFIGURED_ALARM)
    else log.warn({ fault: err.note }, 'the digest could not be mailed yet')
  }

  function look(): void {
    const local = toLocal(now())
    const date = local.toPlainDate().toString()
    if (running || local.hour < HOUR_OF_DAY || date === doneFor || now() < notBefore) return
    notBefore = now() + RETRY_INTERVAL
    running = send(date)
      .catch(report)
      .finally(() => {
        running = undefined
      })
  }

  return {
    start() {
      timer = setInterval(look, LOOK_INTERVAL).unref()
      look()
    },
    async stop() {
      clearInterval(timer)
      breakOff.abort()
      await running
    },
  }
}
