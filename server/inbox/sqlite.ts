import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Database, Driver, DriverOptions, SqlValue } from './driver.ts'
import { SQLITE_MIGRATIONS as MIGRATIONS } from './schema.ts'
import { StoreUnavailable, type UnavailableReason } from './store-errors.ts'

/** Pause between two tries while another process holds the lock. SQLite's own timeout would block the event loop. */
const LOCK_RETRY_MS = 20

/** By primary result code: https://www.sqlite.org/rescode.html */
const REASONS: Record<number, UnavailableReason> = {
  5: 'locked', // BUSY
  6: 'locked', // LOCKED
  8: 'read-only', // READONLY
  11: 'damaged', // CORRUPT
  13: 'full', // FULL
  14: 'cannot-open', // CANTOPEN
  26: 'damaged', // NOTADB
}
/** Primary codes that blame the statement: ERROR, CONSTRAINT, MISMATCH, MISUSE, RANGE. */
const STATEMENT_CODES = [1, 19, 20, 21, 25]

/** Turns an error that makes the store unavailable into StoreUnavailable; returns any other unchanged. */
function toStoreError(error: unknown): unknown {
  if (!Error.isError(error) || error instanceof StoreUnavailable) return error
  const { code, errcode = 1, syscall } = error as NodeJS.ErrnoException & { errcode?: number }
  if (syscall) return new StoreUnavailable(code === 'ENOSPC' ? 'full' : 'cannot-open', code)
  if (error.message.startsWith('no such table')) return new StoreUnavailable('missing')
  // The low byte of an extended code is the primary code.
  const primary = errcode & 0xff
  if (STATEMENT_CODES.includes(primary)) return error
  return new StoreUnavailable(REASONS[primary] ?? 'failed', `SQLite ${errcode}`)
}

const findStat = (path: string) => statSync(path, { throwIfNoEntry: false })

/** Device and inode; undefined if there is no file. */
function identify(path: string): string | undefined {
  const stat = findStat(path)
  return stat && `${stat.dev} ${stat.ino}`
}

function prepareFile(path: string, create: boolean): void {
  const found = findStat(path)
  if (found?.isDirectory()) throw new StoreUnavailable('not-a-file')
  if (found?.size) return
  // SQLite would delete the WAL of a file that was moved away or emptied, and the newest messages with it.
  if (findStat(`${path}-wal`)?.size) throw new StoreUnavailable('replaced')
  if (!create) throw new StoreUnavailable('missing')
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
}

const getPragma = (database: DatabaseSync, name: string) =>
  Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]

/** Configures a connection and migrates the database. */
function setUp(database: DatabaseSync): void {
  if (getPragma(database, 'journal_mode = WAL') !== 'wal') throw new StoreUnavailable('not-durable')
  database.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY; -- so that no visitor's text gets into a temporary file`)
  if (getPragma(database, 'user_version') === MIGRATIONS.length) return
  database.exec('BEGIN IMMEDIATE')
  // Under the lock, because another process may migrate at the same time.
  const version = Number(getPragma(database, 'user_version'))
  if (version > MIGRATIONS.length) throw new StoreUnavailable('newer-build')
  for (const migration of MIGRATIONS.slice(version)) database.exec(migration)
  database.exec(`PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`)
}

/** Another owner's file, or some file systems, refuse a change of its mode. */
function makePrivate(path: string, log: DriverOptions['log']): void {
  if ((statSync(path).mode & 0o077) === 0) return
  try {
    chmodSync(path, 0o600)
  } catch (err) {
    log?.warn({ err, path }, 'others can read the file of the inbox; set its mode to 600')
  }
}

function open(path: string, { create = true, log }: DriverOptions): DatabaseSync {
  prepareFile(path, create)
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    setUp(database)
    makePrivate(path, log)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function createSession(database: DatabaseSync, now: number): Database {
  /** Numbers the placeholders as SQLite does, and drops the locks of rows: a writer locks the whole file. */
  const prepare = (sql: string) =>
    database.prepare(sql.replace(/\$(\d+)/g, '?$1').replace(' FOR UPDATE SKIP LOCKED', ''))
  return {
    now,
    async query<Row extends object>(sql: string, values: SqlValue[] = []) {
      return prepare(sql).all(...values) as Row[]
    },
    change: async (sql, values = []) => Number(prepare(sql).run(...values).changes),
    async lock() {},
  }
}

export function createSqlite(path: string, options: DriverOptions): Driver {
  const { now = Date.now } = options
  let database: DatabaseSync | undefined
  /** The file that was opened first. Another file at its path is not used before the next start. */
  let identity: string | undefined
  let lastTurn: Promise<unknown> = Promise.resolve()

  /** One at a time. The event loop gets a turn before each, so that commits on a slow disk do not starve it. */
  function inTurn<T>(run: () => Promise<T> | T): Promise<T> {
    const turn = lastTurn.then(() => nextTurn()).then(run)
    lastTurn = turn.catch(() => {})
    return turn.catch((error) => {
      throw reopenAfter(toStoreError(error))
    })
  }

  /** SQLite stays read-only after a disk is writable again, so the next call opens the file anew. */
  function reopenAfter(error: unknown): unknown {
    const usable = ['locked', 'deadline', 'replaced', 'full']
    if (error instanceof StoreUnavailable && !usable.includes(error.reason)) {
      database?.close()
      database = undefined
    }
    return error
  }

  function connect(): DatabaseSync {
    if (identity && identify(path) !== identity) throw new StoreUnavailable('replaced')
    database ??= open(path, options)
    identity ??= identify(path)
    return database
  }

  async function begin(deadline: number, readOnly: boolean): Promise<DatabaseSync> {
    for (let reason: UnavailableReason = 'deadline'; ; reason = 'locked') {
      if (Date.now() > deadline) throw new StoreUnavailable(reason)
      try {
        const connected = connect()
        connected.exec(readOnly ? 'BEGIN' : 'BEGIN IMMEDIATE')
        return connected
      } catch (error) {
        const cause = toStoreError(error)
        if (!(cause instanceof StoreUnavailable && cause.reason === 'locked')) throw cause
      }
      await wait(LOCK_RETRY_MS)
    }
  }

  return {
    run: (work, { deadline, readOnly }) =>
      inTurn(async () => {
        const connected = await begin(deadline, readOnly)
        try {
          const value = await work(createSession(connected, now()))
          connected.exec('COMMIT')
          return value
        } finally {
          // Not after a COMMIT, nor if SQLite has rolled back by itself, as it may on a full disk.
          if (connected.isTransaction) connected.exec('ROLLBACK')
        }
      }),
    sqlite: (work) => inTurn(() => work(connect())),
    close: () => inTurn(() => database?.close()),
  }
}
