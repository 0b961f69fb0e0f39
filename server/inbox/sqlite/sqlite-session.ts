import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { InboxUnavailable, type UnavailableReason } from '../inbox-errors.ts'
import type { Check, Session, SqlValue, StoreFault } from '../session.ts'
import { backUp } from './backup.ts'
import { countTransaction } from './same-file.ts'

// Result codes of SQLite, primary ones but for the last: https://www.sqlite.org/rescode.html
const SQLITE_REASONS: Record<number, UnavailableReason> = {
  3: 'cannot-open', // PERM
  5: 'locked', // BUSY
  6: 'locked', // LOCKED
  7: 'disk-fault', // NOMEM
  8: 'read-only', // READONLY
  10: 'disk-fault', // IOERR
  11: 'damaged', // CORRUPT
  13: 'full', // FULL
  14: 'cannot-open', // CANTOPEN
  15: 'locked', // PROTOCOL
  22: 'disk-fault', // NOLFS
  23: 'cannot-open', // AUTH
  26: 'damaged', // NOTADB
  522: 'replaced', // IOERR_SHORT_READ: the WAL is shorter than SQLite wrote it
}

const FILE_REASONS: Record<string, UnavailableReason> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EIO: 'disk-fault',
}

export function findReason(error: unknown): UnavailableReason | undefined {
  if (!Error.isError(error)) return undefined
  const { code, errcode, syscall } = error as NodeJS.ErrnoException & { errcode?: number }
  if (errcode !== undefined) return SQLITE_REASONS[errcode] ?? SQLITE_REASONS[errcode & 0xff]
  return syscall && code ? (FILE_REASONS[code] ?? 'cannot-open') : undefined
}

/** Turns an error that makes the store unavailable into InboxUnavailable; returns any other unchanged. */
export function toInboxError(error: unknown): unknown {
  const isTableMissing = Error.isError(error) && error.message.startsWith('no such table')
  const reason = isTableMissing ? 'missing' : findReason(error)
  return reason ? new InboxUnavailable(reason) : error
}

const PROBE_BYTES = 64 * 1024

/** Runs the work under the write lock and commits it, or rolls it back and rejects. Resolves to its counter (same-file.ts). */
export async function inWriteTransaction(database: DatabaseSync, work: () => Promise<void>) {
  database.exec('BEGIN IMMEDIATE')
  try {
    await work()
    const counter = countTransaction(database)
    database.exec('COMMIT')
    return counter
  } catch (error) {
    // After some errors, such as a full disk, SQLite itself has already rolled back.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Runs a check under the write lock. */
export function underLock(database: DatabaseSync, check: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    check()
  } finally {
    database.exec('ROLLBACK')
  }
}

function findDamage(database: DatabaseSync): StoreFault[] {
  const damage = database
    .prepare('PRAGMA integrity_check')
    .all()
    .map(({ integrity_check }) => String(integrity_check))
    .filter((line) => line !== 'ok')
  const orphans = database.prepare('PRAGMA foreign_key_check').all()
  return [
    ...damage.map((subject) => ({ code: 'damaged', subject }) as const),
    ...orphans.map(({ table, rowid }) => {
      return { code: 'orphan', subject: `${table} ${rowid ?? ''}`.trim() } as const
    }),
  ]
}

/** Translates placeholders; drops the locks of rows, because a write transaction of SQLite locks the whole file. */
const translate = (sql: string) =>
  sql.replace(/\$(\d+)/g, '?$1').replace(/ FOR UPDATE(?: SKIP LOCKED)?/, '')

/** Sessions call SQLite synchronously, so the thread handles no other event during a batch. */
export function createSessions(
  database: DatabaseSync,
  mailPerHour = Number.POSITIVE_INFINITY,
): (now: number) => Session {
  /** The map stays small, because the operations have a fixed number of SQL texts. */
  const statements = new Map<string, StatementSync>()

  const prepare = (sql: string) =>
    statements.getOrInsertComputed(sql, () => database.prepare(translate(sql)))

  const parts = {
    mailPerHour,
    async query<Row extends object>(sql: string, values: SqlValue[] = []) {
      return prepare(sql).all(...values) as Row[]
    },
    async change(sql: string, values: SqlValue[] = []) {
      return Number(prepare(sql).run(...values).changes)
    },
    // The write lock of the transaction already excludes other writers.
    async lock() {},
    async probe() {
      database.exec(
        `CREATE TABLE probe (content); INSERT INTO probe VALUES (zeroblob(${PROBE_BYTES})); DROP TABLE probe`,
      )
    },
    findDamage: async () => findDamage(database),
    async scrub(rewrite: boolean) {
      if (rewrite) database.exec('VACUUM')
      const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {}
      return busy === 0 ? 'scrubbed' : 'busy'
    },
    backUp: (path: string, findFaults: Check) =>
      backUp(database, path, (copy) => findFaults(createSessions(copy)(Date.now()))),
  } satisfies Omit<Session, 'now'>

  return (now) => ({ ...parts, now })
}
