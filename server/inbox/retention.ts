import { basename, dirname } from 'node:path'
import type { RetentionPeriods } from '../../shared/retention.ts'
import type { Logger } from '../log.ts'
import { HOUR_MS } from './clock.ts'
import { purge } from './erase.ts'
import { deleteOld } from './files.ts'
import type { Store } from './store.ts'
import { StoreUnavailable } from './store-errors.ts'

/** At the start and then every hour, erases what has expired, and deletes what a restore has set aside. */
export function startRetention(options: {
  store: Store
  periods: RetentionPeriods
  backupDays: number
  log: Pick<Logger, 'info' | 'warn'>
}) {
  const { store, periods, backupDays, log } = options
  let known = 0

  async function eraseExpired(): Promise<void> {
    try {
      const { erased, waiting } = await purge(store, periods)
      if (erased > 0) log.info({ count: erased }, 'expired messages erased')
      if (waiting > known) {
        log.warn(
          { count: waiting },
          'messages have expired and will be erased in a day; if they are not old, the clock was wrong when they came',
        )
      }
      known = waiting
      // Otherwise erased text stays in the WAL. While another process reads, the next run does it.
      const path = await store.sqlite?.((database) => {
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
        return database.location()
      })
      if (path) deleteOld(dirname(path), `${basename(path)}.before-`, backupDays)
    } catch (err) {
      // The store itself logs that it is unavailable.
      if (!(err instanceof StoreUnavailable)) log.warn({ err }, 'expired messages were not erased')
    }
  }

  void eraseExpired()
  const timer = setInterval(eraseExpired, HOUR_MS).unref()
  return { stop: () => clearInterval(timer) }
}
