import type { RetentionPeriods } from '../../shared/page-state.ts'
import { type Inbox, InboxUnavailable } from './inbox.ts'
import type { InboxLog } from './inbox-facade.ts'

interface RetentionParts {
  inbox: Pick<Inbox, 'purge' | 'scrub' | 'audit'>
  periods: RetentionPeriods
  log?: InboxLog
}

const INTERVAL_MS = 60 * 60_000
const RETRY_MS = 60_000
const TIMEOUT_MS = 10_000
/** Messages per transaction. The number is small, so that no visitor waits long for the lock of the transaction. */
const BATCH_SIZE = 200

const soon = () => Date.now() + TIMEOUT_MS

/** Erases expired messages in batches, at the start and then every hour. After a failure, retries in a minute. */
export function startRetention({ inbox, periods, log }: RetentionParts) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  /** Erased messages that an earlier run may not have scrubbed or recorded. */
  let count = 0

  async function eraseAll(): Promise<void> {
    let hasMore = true
    while (hasMore && !isStopped) {
      const { messages, more } = await inbox.purge(periods, BATCH_SIZE, soon())
      count += messages
      hasMore = more
    }
    if (count === 0) return
    // The result `busy` is no error: SQLite later overwrites the erased text in its write-ahead log.
    await inbox.scrub(false, soon())
    await inbox.audit('retention', `${count} messages`, soon())
    log?.info({ count }, 'expired messages erased')
    count = 0
  }

  async function run(): Promise<void> {
    let delayMs = INTERVAL_MS
    try {
      await eraseAll()
    } catch (err) {
      delayMs = RETRY_MS
      // The inbox itself logs that it is unavailable.
      if (!(err instanceof InboxUnavailable))
        log?.warn({ err }, 'erasing of expired messages failed before its end; it will be retried')
    }
    if (!isStopped) timer = setTimeout(run, delayMs).unref()
  }

  void run()
  return {
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
