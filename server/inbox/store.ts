import type { DatabaseSync } from 'node:sqlite'
import type { DatabaseTarget } from '../config.ts'
import type { Logger } from '../log.ts'
import { describeUnavailable, InboxUnavailable } from './inbox-errors.ts'
import { createPostgres } from './postgres.ts'
import { createSqlite } from './sqlite.ts'

export type SqlValue = string | number | null

/** Access to the database within a transaction. The SQL is PostgreSQL's, with the placeholders $1, $2, … */
export interface Database {
  /** Time of the transaction, in epoch ms. */
  readonly now: number
  query<Row extends object>(sql: string, values?: SqlValue[]): Promise<Row[]>
  /** Resolves to the number of changed rows. */
  change(sql: string, values?: SqlValue[]): Promise<number>
  /** Excludes other transactions with the same key until this one ends. SQLite has one writer at a time anyway. */
  lock(key: string): Promise<void>
}

/** Must await nothing but its database: on SQLite, the transactions of a process share one connection. */
export type Work<T> = (db: Database) => Promise<T> | T

export interface Transaction {
  /** Time until COMMIT; then the transaction is undone, and rejects with InboxUnavailable. */
  timeoutMs?: number
  /** True for a work that only reads: it needs no write lock. */
  readOnly?: boolean
}

export interface Store {
  /** Commits what the work has changed, or rejects and changes nothing. Rejects with InboxUnavailable while there is no store. */
  transaction<T>(work: Work<T>, options?: Transaction): Promise<T>
  state(): 'open' | 'unavailable'
  /** Waits for the transactions in progress; later ones are rejected. */
  close(): Promise<void>
  /** Runs SQLite's own tools outside a transaction. Undefined on PostgreSQL. */
  sqlite?: Driver['sqlite']
}

/** SQLite or PostgreSQL. Opens the database, and migrates it, at the first call; after a failure again at the next. */
export interface Driver {
  run<T>(work: Work<T>, options: { deadline: number; readOnly: boolean }): Promise<T>
  sqlite?: <T>(work: (database: DatabaseSync) => T) => Promise<T>
  close(): Promise<void>
}

export interface StoreOptions {
  log?: Pick<Logger, 'info' | 'error'>
  /** Current time in epoch ms. By default the clock of this machine or, because machines may differ, of PostgreSQL. */
  now?: () => number
  /** False: a missing store is an error. */
  create?: boolean
}

const TIMEOUT_MS = 2000
const PROBE_INTERVAL_MS = 1000
/** Longer than the longest message, because a few bytes may still fit on a full disk. */
const PROBE_TEXT = ' '.repeat(64 * 1024)

async function probe(db: Database): Promise<void> {
  await db.change("INSERT INTO audit (noted_at, action, subject) VALUES ($1, 'probe', $2)", [
    db.now,
    PROBE_TEXT,
  ])
  await db.change("DELETE FROM audit WHERE action = 'probe'")
}

export function createStore(target: DatabaseTarget, options: StoreOptions = {}): Store {
  const { log, now, create = true } = options
  const driver =
    target.kind === 'sqlite'
      ? createSqlite({ path: target.path, now, create })
      : createPostgres({ url: target.url, now, create })
  const place = target.kind === 'sqlite' ? target.path : new URL(target.url).host
  let state: 'open' | 'unavailable' = 'unavailable'
  /** Set during an outage: writes a probe every second, and ends the outage once that succeeds. */
  let probing: NodeJS.Timeout | undefined
  let isProbing = false
  let isClosed = false

  function beginOutage(error: InboxUnavailable): void {
    if (probing) return
    state = 'unavailable'
    log?.error({ place, ...describeUnavailable(error) }, 'inbox unavailable')
    probing = setInterval(tryProbe, PROBE_INTERVAL_MS).unref()
  }

  async function tryProbe(): Promise<void> {
    if (isProbing) return
    isProbing = true
    try {
      await run(probe, { timeoutMs: PROBE_INTERVAL_MS })
      clearInterval(probing)
      probing = undefined
      enterOpen()
    } catch {
      // The outage goes on.
    } finally {
      isProbing = false
    }
  }

  function enterOpen(): void {
    if (state === 'open' || probing) return
    state = 'open'
    log?.info({ place }, 'inbox open')
  }

  function run<T>(work: Work<T>, { timeoutMs = TIMEOUT_MS, readOnly = false }: Transaction) {
    return driver.run(work, { deadline: Date.now() + timeoutMs, readOnly })
  }

  return {
    async transaction(work, options = {}) {
      if (isClosed) throw new InboxUnavailable('closed')
      try {
        const value = await run(work, options)
        enterOpen()
        return value
      } catch (error) {
        if (error instanceof InboxUnavailable) beginOutage(error)
        throw error
      }
    },
    state: () => state,
    async close() {
      isClosed = true
      clearInterval(probing)
      await driver.close()
    },
    sqlite: driver.sqlite,
  }
}
