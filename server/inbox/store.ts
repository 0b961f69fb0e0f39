import type { DatabaseSync } from 'node:sqlite'

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
   * Commits what the work has changed, or rejects and changes nothing: with InboxUnavailable while the database cannot be
   * used. Opens the database at the first call, and migrates it.
   */
  transaction<T>(work: Work<T>, options?: { timeoutMs?: number; readOnly?: boolean }): Promise<T>
  /** Runs SQLite's own tools outside a transaction. Undefined on PostgreSQL. */
  sqlite?: <T>(work: (database: DatabaseSync) => T) => Promise<T>
  state(): 'open' | 'unavailable'
  /** Later transactions are rejected. */
  close(): Promise<void>
}

export interface Driver extends Pick<Store, 'sqlite' | 'close'> {
  run<T>(work: Work<T>, options: { deadline: number; readOnly: boolean }): Promise<T>
}

type Log = (fields: object, text: string) => unknown

export interface DriverOptions {
  log?: Record<'info' | 'warn' | 'error', Log>
  /** Current time in epoch ms. By default the clock of this machine or, because machines may differ, of PostgreSQL. */
  now?: () => number
  /** False: a missing store is an error. */
  create?: boolean
}
