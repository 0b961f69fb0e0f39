export type SqlValue = string | number | null

/** The SQL that SQLite and PostgreSQL write differently. */
export interface Dialect {
  /** At the end of a SELECT. Empty in SQLite, where a write transaction locks the whole file. */
  forUpdate: string
  forUpdateSkipLocked: string
  /** Follows the table messages. SQLite's planner would otherwise look up every row that may be unread. */
  unreadIndex: string
  /** An expression: the size of the store in bytes. */
  storeBytes: string
}

export interface StoreFault {
  code: 'damaged' | 'orphan' | 'no-outbox-row' | 'no-message' | 'new-not-queued' | 'queued-not-new'
  /** The reference; for `orphan` the table and row; for `damaged` SQLite's own line. */
  subject: string
}

/** `busy`: other connections were reading; `unsupported`: the database overwrites its files by itself. */
export type Scrubbing = 'scrubbed' | 'busy' | 'unsupported'

/** The database as an operation sees it, inside its transaction. */
export interface Session {
  /** Epoch ms by the clock of the store, the same for the whole operation. */
  readonly now: number
  /** MAIL_PER_HOUR; infinite without a limit. */
  readonly mailPerHour: number
  readonly dialect: Dialect
  /** One statement with the placeholders $1, $2, …; resolves to its rows. */
  query<Row extends object>(sql: string, values?: SqlValue[]): Promise<Row[]>
  change(sql: string, values?: SqlValue[]): Promise<number>
  /** Takes these locks one after the other and holds them until the transaction ends. */
  lock(...keys: string[]): Promise<void>
  /** The smallest write that proves that the store is writable. */
  probe(): Promise<void>
  /** Damage that only the database itself can see. */
  findDamage(): Promise<StoreFault[]>
  scrub(rewrite: boolean): Promise<Scrubbing>
  backUp(path: string): Promise<void>
}

/** `$1, $2, …` for a list of values. */
export function toPlaceholders(values: readonly SqlValue[], first = 1): string {
  return values.map((_, index) => `$${first + index}`).join(', ')
}

/** `VALUES ($1, $2), ($3, $4), …` for rows of values. */
export function toValuesClause(rows: readonly SqlValue[][]): { sql: string; values: SqlValue[] } {
  let first = 1
  const tuples = rows.map((row) => {
    const tuple = `(${toPlaceholders(row, first)})`
    first += row.length
    return tuple
  })
  return { sql: `VALUES ${tuples.join(', ')}`, values: rows.flat() }
}
