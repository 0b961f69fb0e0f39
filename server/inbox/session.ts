export type SqlValue = string | number | null

export interface StoreFault {
  code: 'damaged' | 'orphan' | 'no-outbox-row' | 'new-not-queued' | 'queued-not-new'
  /** Reference of the message; for `orphan`, the table and perhaps the row; for `damaged`, SQLite's description. */
  subject: string
}

/** Result of `scrub`. `busy`: another connection blocks it. `unsupported`: PostgreSQL overwrites erased text later. */
export type Scrubbing = 'scrubbed' | 'busy' | 'unsupported'

/** An operation's access to the database, with the current time and MAIL_PER_HOUR. */
export interface Session {
  /** Current time in epoch ms, constant during the operation. */
  readonly now: number
  /** MAIL_PER_HOUR; infinite without a limit. */
  readonly mailPerHour: number
  /** Runs a statement in PostgreSQL's dialect, with the placeholders $1, $2, …; resolves to its rows. */
  query<Row extends object>(sql: string, values?: SqlValue[]): Promise<Row[]>
  change(sql: string, values?: SqlValue[]): Promise<number>
  /** Takes the locks with these keys, in this order. The locks last until the transaction ends. */
  lock(...keys: string[]): Promise<void>
  /**
   * Writes and removes test data, to check that the store is writable: more than the longest message, because a few bytes
   * may still fit on a full disk.
   */
  probe(): Promise<void>
  /** Finds damage with SQLite's own checks; finds none in PostgreSQL. */
  findDamage(): Promise<StoreFault[]>
  scrub(rewrite: boolean): Promise<Scrubbing>
  /** Copies the database and checks the copy. Gives it the name `path` only if the check finds no fault. */
  backUp(path: string, findFaults: Check): Promise<void>
}

export type Check = (session: Session) => Promise<StoreFault[]>
