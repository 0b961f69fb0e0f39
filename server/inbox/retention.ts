import { type Inbox, InboxUnavailable } from './inbox.ts'
import type { InboxLog } from './inbox-facade.ts'
import type { Purged, RetentionPeriods } from './upkeep.ts'

interface RetentionParts {
  inbox: Pick<Inbox, 'purge' | 'scrub' | 'audit'>
  periods: RetentionPeriods
  log?: InboxLog
  /** From 0 up to 1: spreads the times of processes that started together. */
  random?: () => number
}

export interface Retention {
  stop(): void
}

const HOUR = 60 * 60 * 1000
const MINUTE = 60 * 1000
const JITTER = 0.2
const PATIENCE = 10_000
/** So few in one transaction that no visitor waits for it. */
const PIECE = 200

const soon = () => Date.now() + PATIENCE

/** Erases by itself what is past its time: at once, then about every hour, piece by piece. */
export function startRetention(parts: RetentionParts): Retention {
  const { inbox, periods, log, random = Math.random } = parts
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function eraseAll(): Promise<void> {
    let count = 0
    let piece: Purged
    do {
      piece = await inbox.purge(periods, PIECE, soon())
      count += piece.messages
    } while (piece.more && !stopped)
    if (count === 0) return
    await inbox.audit('retention', `${count} messages`, soon())
    log?.info({ count }, 'messages past their time were erased')
    // A busy moment is no fault: the next checkpoint overwrites the same.
    await inbox.scrub(false, soon())
  }

  async function run(): Promise<void> {
    let interval = HOUR
    try {
      await eraseAll()
    } catch (error) {
      interval = MINUTE
      // The inbox itself tells that it is unavailable.
      if (!(error instanceof InboxUnavailable)) log?.warn({ err: error }, 'retention failed')
    }
    if (!stopped) timer = setTimeout(run, interval * (1 + JITTER * (random() - 0.5))).unref()
  }

  void run()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
