import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { InboxUnavailable, type UnavailableReason } from './inbox-errors.ts'
import { createMigrations } from './schema.ts'
import type { Database, Driver, SqlValue } from './store.ts'

interface SqliteOptions {
  path: string
  now?: () => number
  /** True creates a missing file with mode 0600, and missing folders with mode 0700. */
  create: boolean
}

/** Pause between two tries while another process holds the lock. SQLite's own timeout would block the event loop. */
const LOCK_RETRY_MS = 20
const SYNCHRONOUS_FULL = 2

// Primary result codes: https://www.sqlite.org/rescode.html
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
}

const FILE_REASONS: Record<string, UnavailableReason> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EIO: 'disk-fault',
}

/** Turns an error that makes the store unavailable into InboxUnavailable; returns any other unchanged. */
function toInboxError(error: unknown): unknown {
  if (!Error.isError(error) || error instanceof InboxUnavailable) return error
  const {
    code = '',
    errcode,
    syscall,
    message,
  } = error as NodeJS.ErrnoException & {
    errcode?: number
  }
  if (message.startsWith('no such table')) return new InboxUnavailable('missing')
  if (syscall) return new InboxUnavailable(FILE_REASONS[code] ?? 'cannot-open', { cause: error })
  // The low byte of an extended code is the primary code.
  const reason = errcode === undefined ? undefined : SQLITE_REASONS[errcode & 0xff]
  return reason ? new InboxUnavailable(reason) : error
}

const isLocked = (error: unknown) => error instanceof InboxUnavailable && error.reason === 'locked'

const findStat = (path: string) => statSync(path, { throwIfNoEntry: false })

/** Device and inode; undefined if there is no file. */
function identify(path: string): string | undefined {
  const stat = findStat(path)
  return stat && `${stat.dev} ${stat.ino}`
}

function prepareFile(path: string, create: boolean): void {
  const found = findStat(path)
  if (found?.isDirectory()) throw new InboxUnavailable('not-a-file')
  if (found?.size) return
  // SQLite would delete the WAL of a file that was moved away or emptied, and the newest messages with it.
  if (findStat(`${path}-wal`)?.size) throw new InboxUnavailable('replaced')
  if (!create) throw new InboxUnavailable('missing')
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
}

const getPragma = (database: DatabaseSync, name: string) =>
  database.prepare(`PRAGMA ${name}`).get()?.[name]

function configure(database: DatabaseSync): void {
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY; -- so that no visitor's text gets into a temporary file`)
  const isDurable =
    getPragma(database, 'journal_mode') === 'wal' &&
    getPragma(database, 'synchronous') === SYNCHRONOUS_FULL
  if (!isDurable) throw new InboxUnavailable('weak-durability')
}

export const MIGRATIONS = createMigrations({
  key: 'TEXT',
  integer: 'INTEGER',
  smallInteger: 'INTEGER',
  id: 'INTEGER PRIMARY KEY',
  freshId: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  table: 'STRICT',
  clusteredTable: 'STRICT, WITHOUT ROWID',
})

function migrate(database: DatabaseSync): void {
  const getVersion = () => Number(getPragma(database, 'user_version'))
  while (getVersion() < MIGRATIONS.length) {
    database.exec('BEGIN IMMEDIATE')
    // Read the version again under the lock: another process may have migrated first.
    const version = getVersion()
    const migration = MIGRATIONS[version] ?? ''
    database.exec(`${migration}; PRAGMA user_version = ${version + (migration ? 1 : 0)}; COMMIT`)
  }
  if (getVersion() > MIGRATIONS.length) throw new InboxUnavailable('newer-build')
}

function open(path: string, create: boolean): DatabaseSync {
  prepareFile(path, create)
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    configure(database)
    migrate(database)
  } catch (error) {
    database.close()
    throw error
  }
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const stat = findStat(file)
    if (stat && stat.mode & 0o077) chmodSync(file, 0o600)
  }
  return database
}

/** Numbers the placeholders as SQLite does, and drops the locks of rows: a writer locks the whole file. */
const translate = (sql: string) =>
  sql.replace(/\$(\d+)/g, '?$1').replace(/ FOR UPDATE(?: SKIP LOCKED)?/, '')

const createSession = (database: DatabaseSync, now: number): Database => ({
  now,
  async query<Row extends object>(sql: string, values: SqlValue[] = []) {
    return database.prepare(translate(sql)).all(...values) as Row[]
  },
  async change(sql, values = []) {
    return Number(database.prepare(translate(sql)).run(...values).changes)
  },
  async lock() {},
})

export function createSqlite({ path, now = Date.now, create }: SqliteOptions): Driver {
  let database: DatabaseSync | undefined
  /** The file that was opened first. Another file in its place is not used before the next start. */
  let identity: string | undefined
  let lastTurn: Promise<unknown> = Promise.resolve()

  /** The event loop gets a turn before each transaction, so that commits on a slow disk do not starve it. */
  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(() => nextTurn()).then(run)
    lastTurn = turn.catch(() => {})
    return turn
  }

  function connect(): DatabaseSync {
    if (identity !== undefined && identify(path) !== identity) {
      throw new InboxUnavailable('replaced')
    }
    if (!database) {
      database = open(path, create)
      identity = identify(path)
    }
    return database
  }

  async function begin(deadline: number, readOnly: boolean): Promise<DatabaseSync> {
    for (;;) {
      try {
        const connected = connect()
        connected.exec(readOnly ? 'BEGIN' : 'BEGIN IMMEDIATE')
        return connected
      } catch (error) {
        const cause = toInboxError(error)
        if (!isLocked(cause) || Date.now() + LOCK_RETRY_MS > deadline) throw cause
      }
      await wait(LOCK_RETRY_MS)
    }
  }

  /** SQLite stays read-only after a disk is writable again, so the next call opens the file anew. */
  function reopenAfter(error: unknown): void {
    if (!(error instanceof InboxUnavailable)) return
    if (['locked', 'deadline', 'replaced', 'full'].includes(error.reason)) return
    database?.close()
    database = undefined
  }

  return {
    run: (work, { deadline, readOnly }) =>
      inTurn(async () => {
        try {
          if (Date.now() > deadline) throw new InboxUnavailable('deadline')
          const connected = await begin(deadline, readOnly)
          try {
            const value = await work(createSession(connected, now()))
            connected.exec('COMMIT')
            return value
          } catch (error) {
            // After some errors, such as a full disk, SQLite has rolled back by itself.
            if (connected.isTransaction) connected.exec('ROLLBACK')
            throw error
          }
        } catch (error) {
          const cause = toInboxError(error)
          reopenAfter(cause)
          throw cause
        }
      }),
    sqlite: (work) =>
      inTurn(async () => {
        try {
          return work(connect())
        } catch (error) {
          throw toInboxError(error)
        }
      }),
    close: () =>
      inTurn(async () => {
        database?.close()
        database = undefined
      }),
  }
}
