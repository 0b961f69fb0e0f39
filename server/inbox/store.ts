import type { DatabaseSync } from 'node:sqlite'
import type { DatabaseTarget } from '../config.ts'
import type { Logger } from '../log.ts'
import { explainUnavailable, InboxUnavailable } from './inbox-errors.ts'
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

export interface Store {
  /**
   * Commits what the work has changed, by default within 2 s, or rejects and changes nothing: with InboxUnavailable while
   * the database cannot be used. Opens the database at the first call, and migrates it.
   */
  transaction<T>(work: Work<T>, options?: { timeoutMs?: number; readOnly?: boolean }): Promise<T>
  state(): 'open' | 'unavailable'
  /** Waits for the transactions in progress; later ones are rejected. */
  close(): Promise<void>
  sqlite: Driver['sqlite']
}

export interface Driver {
  run<T>(work: Work<T>, options: { deadline: number; readOnly: boolean }): Promise<T>
  /** Runs SQLite's own tools outside a transaction. Undefined on PostgreSQL. */
  sqlite?: <T>(work: (database: DatabaseSync) => T) => Promise<T>
  close(): Promise<void>
}

export interface StoreOptions {
  log?: Pick<Logger, 'info' | 'error'>
  /** Current time in epoch ms. By default the clock of this machine or, because machines may differ, of PostgreSQL. */
  now?: () => number
  /** False: a missing store is an error. */
  create?: boolean
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
  const { log, now, create = true, timeoutMs: usualMs = 2000 } = options
  const place = target.kind === 'sqlite' ? target.path : new URL(target.url).host
  const driver =
    target.kind === 'sqlite'
      ? createSqlite({ path: target.path, now, create })
      : createPostgres({ url: target.url, now, create })
  let state: 'opening' | 'open' | 'unavailable' | 'closed' = 'opening'
  let probing: NodeJS.Timeout | undefined
  const inProgress = new Set<Promise<unknown>>()

  function enterOpen(): void {
    if (state === 'closed') return
    state = 'open'
    log?.info({ place }, 'inbox open')
  }

  /** Only a probe ends an outage: a full disk still lets a transaction pass that changes nothing. */
  function enterOutage(error: InboxUnavailable): void {
    state = 'unavailable'
    const { reason, code } = error
    const explanation = explainUnavailable(error)
    log?.error({ place, reason, code, explanation }, 'inbox unavailable')
    scheduleProbe()
  }

  function scheduleProbe(): void {
    if (state === 'closed') return
    probing = setTimeout(() => {
      const deadline = Date.now() + PROBE_INTERVAL_MS
      driver.run(probe, { deadline, readOnly: false }).then(enterOpen, scheduleProbe)
    }, PROBE_INTERVAL_MS).unref()
  }

  return {
    async transaction(work, { timeoutMs = usualMs, readOnly = false } = {}) {
      if (state === 'closed') throw new InboxUnavailable('closed')
      const running = driver.run(work, { deadline: Date.now() + timeoutMs, readOnly })
      inProgress.add(running)
      try {
        const value = await running
        if (state === 'opening') enterOpen()
        return value
      } catch (error) {
        const isOutage = error instanceof InboxUnavailable
        if (isOutage && (state === 'opening' || state === 'open')) enterOutage(error)
        throw error
      } finally {
        inProgress.delete(running)
      }
    },
    state: () => (state === 'open' ? 'open' : 'unavailable'),
    async close() {
      if (state === 'closed') return
      state = 'closed'
      clearTimeout(probing)
      await Promise.allSettled(inProgress)
      await driver.close()
    },
    sqlite: driver.sqlite,
  }
}
