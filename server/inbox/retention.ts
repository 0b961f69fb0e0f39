import type { RetentionPeriods } from '../../shared/retention.ts'
import type { Logger } from '../log.ts'
import { HOUR_MS } from './clock.ts'
import { purge } from './erase.ts'
import { InboxUnavailable } from './inbox-errors.ts'
import type { Store } from './store.ts'

interface RetentionOptions {
  store: Store
  periods: RetentionPeriods
  log: Pick<Logger, 'info' | 'warn'>
}

const RETRY_MS = 60_000

/** At the start and then every hour, erases what has expired. After a failure, tries again in a minute. */
export function startRetention({ store, periods, log }: RetentionOptions) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let lastWaiting = 0

  async function eraseExpired(): Promise<void> {
    const { erased, waiting } = await purge(store, periods)
    if (erased > 0) log.info({ count: erased }, 'expired messages erased')
    if (waiting > lastWaiting) {
      log.warn(
        { count: waiting },
        'messages have expired and will be erased in a day; if they are not old, the clock of this machine was wrong when they came',
      )
    }
    lastWaiting = waiting
    // Otherwise erased text stays in the WAL. While another process reads, the next run does it.
    await store.sqlite?.((database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
  }

  async function run(): Promise<void> {
    let delayMs = HOUR_MS
    try {
      await eraseExpired()
    } catch (err) {
      delayMs = RETRY_MS
      // The store itself logs that it is unavailable.
      if (!(err instanceof InboxUnavailable)) log.warn({ err }, 'expired messages were not erased')
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
