import type { DatabaseTarget } from '../config.ts'
import type { Database, Driver, DriverOptions, Work } from './driver.ts'
import { createPostgres } from './postgres.ts'
import { createSqlite } from './sqlite.ts'
import { explainUnavailable, StoreUnavailable } from './store-errors.ts'

export interface Store extends Pick<Driver, 'sqlite'> {
  /**
   * Commits what the work has changed, or rejects and changes nothing: with StoreUnavailable while the database cannot be
   * used. Opens the database at the first call, and migrates it.
   */
  transaction<T>(work: Work<T>, options?: { timeoutMs?: number; readOnly?: boolean }): Promise<T>
  state(): 'open' | 'unavailable'
  /** Later transactions are rejected. */
  close(): Promise<void>
}

export interface StoreOptions extends DriverOptions {
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
  const database = isSqlite ? target.path : new URL(target.url).host
  let state: 'opening' | 'open' | 'unavailable' | 'closed' = 'opening'
  /** The log names each reason of an outage once. */
  const loggedReasons = new Set<string>()

  function enterOpen(): void {
    if (state === 'closed') return
    state = 'open'
    loggedReasons.clear()
    log?.info({ database }, 'inbox open')
  }

  function noteOutage(error: unknown): void {
    if (state === 'closed' || !(error instanceof StoreUnavailable)) return
    const { reason, code } = error
    if (!loggedReasons.has(reason)) {
      const explanation = explainUnavailable(error)
      log?.error({ database, reason, code, explanation }, 'inbox unavailable')
    }
    loggedReasons.add(reason)
    if (state !== 'unavailable') setTimeout(tryProbe, PROBE_INTERVAL_MS).unref()
    state = 'unavailable'
  }

  /** Only a probe ends an outage: a full disk still lets a transaction pass that changes nothing. */
  async function tryProbe(): Promise<void> {
    if (state === 'closed') return
    try {
      await driver.run(probe, { deadline: Date.now() + PROBE_INTERVAL_MS, readOnly: false })
      enterOpen()
    } catch (error) {
      noteOutage(error)
      setTimeout(tryProbe, PROBE_INTERVAL_MS).unref()
    }
  }

  return {
    async transaction(work, { timeoutMs = usualMs, readOnly = false } = {}) {
      if (state === 'closed') throw new StoreUnavailable('closed')
      try {
        const value = await driver.run(work, { deadline: Date.now() + timeoutMs, readOnly })
        if (state === 'opening') enterOpen()
        return value
      } catch (error) {
        noteOutage(error)
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
