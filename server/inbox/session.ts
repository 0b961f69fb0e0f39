export type SqlValue = string | number | null

/** The SQL that SQLite and PostgreSQL write differently. */
export interface Dialect {
  /** Clause at the end of a SELECT. Empty in SQLite, where a write transaction locks the whole file. */
  forUpdate: string
  forUpdateSkipLocked: string
}

export interface StoreFault {
  code: 'damaged' | 'orphan' | 'no-outbox-row' | 'no-message' | 'new-not-queued' | 'queued-not-new'
  /** The reference; for `orphan` the table and row; for `damaged` SQLite's message. */
  subject: string
}

/** Result of erasing text. `busy`: other connections read; `unsupported`: PostgreSQL overwrites its files later. */
export type Scrubbing = 'scrubbed' | 'busy' | 'unsupported'

/** The database as an operation uses it. */
export interface Session {
  /** Epoch ms by the clock of the store, the same for the whole operation. */
  readonly now: number
  /** MAIL_PER_HOUR; infinite without a limit. */
  readonly mailPerHour: number
  readonly dialect: Dialect
  /** Runs a statement with the placeholders $1, $2, …; resolves to its rows. */
  query<Row extends object>(sql: string, values?: SqlValue[]): Promise<Row[]>
  change(sql: string, values?: SqlValue[]): Promise<number>
  /** Takes these locks in order; they last until the transaction ends. */
  lock(...keys: string[]): Promise<void>
  /** Writes and removes test data, to check that the store is writable. */
  probe(): Promise<void>
  /** Damage that only the database itself can detect. */
  findDamage(): Promise<StoreFault[]>
  scrub(rewrite: boolean): Promise<Scrubbing>
  backUp(path: string): Promise<void>
}
