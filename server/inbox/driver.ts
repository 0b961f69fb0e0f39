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

export interface Driver {
  /** Runs SQLite's own tools outside a transaction. Undefined on PostgreSQL. */
  sqlite?: <T>(work: (database: DatabaseSync) => T) => Promise<T>
  close(): Promise<void>
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
