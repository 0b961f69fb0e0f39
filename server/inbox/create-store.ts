import type { DatabaseTarget } from '../config.ts'
import type { Logger } from '../log.ts'
import { explainUnavailable, InboxUnavailable } from './inbox-errors.ts'
import { createPostgres } from './postgres.ts'
import { createSqlite } from './sqlite.ts'
import type { Database, DriverOptions, Store } from './store.ts'

export interface StoreOptions extends DriverOptions {
  log?: Pick<Logger, 'info' | 'error'>
  /** Time limit of a transaction that names none. */
  timeoutMs?: number
}

const PROBE_INTERVAL_MS = 1000
/** Longer than the longest message, because a few bytes may still fit on a full disk. */
const PROBE_TEXT = ' '.repeat(64 * 1024)

async function probe(db: Database): Promise<void> {
  const sql = "INSERT INTO audit (noted_at, action, subject) VALUES ($1, 'probe', $2)"
  await db.change(sql, [db.now, PROBE_TEXT])
  await db.change("DELETE FROM audit WHERE action = 'probe'")
}

export function createStore(target: DatabaseTarget, options: StoreOptions = {}): Store {
  const { log, timeoutMs: usualMs = 2000 } = options
  const isSqlite = target.kind === 'sqlite'
  const driver = isSqlite ? createSqlite(target.path, options) : createPostgres(target.url, options)
  const place = isSqlite ? target.path : new URL(target.url).host
  let state: 'opening' | 'open' | 'unavailable' | 'closed' = 'opening'

  function enterOpen(): void {
    if (state === 'closed') return
    state = 'open'
    log?.info({ place }, 'inbox open')
  }

  function enterOutage(error: InboxUnavailable): void {
    state = 'unavailable'
    const { reason, code } = error
    log?.error({ place, reason, code, explanation: explainUnavailable(error) }, 'inbox unavailable')
    setTimeout(tryProbe, PROBE_INTERVAL_MS).unref()
  }

  /** Only a probe ends an outage: a full disk still lets a transaction pass that changes nothing. */
  async function tryProbe(): Promise<void> {
    if (state === 'closed') return
    try {
      await driver.run(probe, { deadline: Date.now() + PROBE_INTERVAL_MS, readOnly: false })
      enterOpen()
    } catch {
      setTimeout(tryProbe, PROBE_INTERVAL_MS).unref()
    }
  }

  return {
    async transaction(work, { timeoutMs = usualMs, readOnly = false } = {}) {
      if (state === 'closed') throw new InboxUnavailable('closed')
      try {
        const value = await driver.run(work, { deadline: Date.now() + timeoutMs, readOnly })
        if (state === 'opening') enterOpen()
        return value
      } catch (error) {
        const isNews = state === 'opening' || state === 'open'
        if (isNews && error instanceof InboxUnavailable) enterOutage(error)
        throw error
      }
    },
    sqlite: driver.sqlite,
    state: () => (state === 'open' ? 'open' : 'unavailable'),
    async close() {
      if (state === 'closed') return
      state = 'closed'
      await driver.close()
    },
  }
}
