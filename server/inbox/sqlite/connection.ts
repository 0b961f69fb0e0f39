import {
  chmodSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { InboxUnavailable, UNWRITABLE } from '../inbox.ts'
import { createMigrations } from '../schema.ts'
import { refuseNetworkFileSystem } from './file-system.ts'
import { fitsWal, getCounter, isBetween, readCounter } from './same-file.ts'
import { commit, createSessions, findReason } from './sqlite-session.ts'

export interface ConnectionOptions {
  path: string
  /** True creates a missing file, and missing folders with mode 0700. */
  create: boolean
  /** True reads a file that cannot be written, unless its WAL holds data. */
  salvage?: boolean
  mailPerHour?: number
}

export type Connection = Awaited<ReturnType<typeof openConnection>>

const SYNCHRONOUS_FULL = 2
const MAX_IDLE_WAL_BYTES = 16 * 1024 * 1024

function findStat(path: string) {
  return statSync(path, { throwIfNoEntry: false })
}

function prepareFile({ path, create }: ConnectionOptions): void {
  const found = findStat(path)
  if (found?.isDirectory()) throw new InboxUnavailable('not-a-file')
  if (!found) {
    // SQLite would delete the WAL of a file that was moved away.
    if (findStat(`${path}-wal`)?.size) throw new InboxUnavailable('replaced')
    if (!create) throw new InboxUnavailable('missing')
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
  }
}

/** Call this only once the file is an inbox: the mode of another file must stay. */
function makePrivate(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const stat = findStat(file)
    if (stat?.isFile() && stat.mode & 0o077) chmodSync(file, 0o600)
  }
}

function setPragma(database: DatabaseSync, name: string, value: string): unknown {
  database.exec(`PRAGMA ${name} = ${value}`)
  return database.prepare(`PRAGMA ${name}`).get()?.[name]
}

function configure(database: DatabaseSync): void {
  const journal = setPragma(database, 'journal_mode', 'WAL')
  const synchronous = setPragma(database, 'synchronous', 'FULL')
  if (journal !== 'wal' || synchronous !== SYNCHRONOUS_FULL) {
    throw new InboxUnavailable('weak-durability')
  }
  setPragma(database, 'foreign_keys', 'ON')
  setPragma(database, 'secure_delete', 'ON')
  // After a long read, SQLite cuts the write-ahead log to this size when it starts the log anew.
  setPragma(database, 'journal_size_limit', String(MAX_IDLE_WAL_BYTES))
  // Otherwise the undo data of savepoints, with visitors' text, could get into a temporary file.
  setPragma(database, 'temp_store', 'MEMORY')
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

function getVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

/** Migrates a database; throws InboxUnavailable when a newer build has written it. */
export async function migrate(database: DatabaseSync, migrations = MIGRATIONS): Promise<void> {
  while (getVersion(database) < migrations.length) {
    await commit(database, async () => {
      // Read again under the lock: another process may have migrated first.
      const version = getVersion(database)
      const migration = migrations[version]
      if (migration) database.exec(`${migration}; PRAGMA user_version = ${version + 1}`)
    })
  }
  if (getVersion(database) > migrations.length) throw new InboxUnavailable('newer-build')
}

async function openDatabase(path: string, file: number, timeoutMs: number) {
  const database = new DatabaseSync(path, { timeout: timeoutMs })
  try {
    configure(database)
    await migrate(database)
    // A new store, or one of an earlier build: the file gets its first counter.
    if (readCounter(file) === 0) {
      await commit(database, async () => {})
      database.exec('PRAGMA wal_checkpoint')
    }
    makePrivate(path)
    const guard = new DatabaseSync(path, { readOnly: true, timeout: timeoutMs })
    guard.prepare('PRAGMA user_version').get()
    return { database, guard }
  } catch (error) {
    database.close()
    throw error
  }
}

/** With `salvage`, opens a file that SQLite cannot write, without the files of its WAL. Otherwise throws `error`. */
async function openUnwritable({ path, salvage }: ConnectionOptions, error: unknown) {
  const reason = findReason(error)
  const isUnwritable = reason === 'cannot-open' || (reason && UNWRITABLE.includes(reason))
  // `immutable` ignores the WAL, which may hold the newest messages.
  if (!salvage || !isUnwritable || findStat(`${path}-wal`)?.size) throw error
  const url = new URL(`${pathToFileURL(path)}?immutable=1`)
  const database = new DatabaseSync(url, { readOnly: true })
  await migrate(database)
  return { database, guard: undefined }
}

/** `timeoutMs` is the maximum wait for another process's lock. */
export async function openConnection(options: ConnectionOptions, timeoutMs: number) {
  const { path, mailPerHour } = options
  refuseNetworkFileSystem(path)
  prepareFile(options)
  using resources = new DisposableStack()
  const file = openSync(path, 'r')
  // Close the file after the database: closing it drops SQLite's locks on it in this process.
  resources.defer(() => closeSync(file))
  const opened = fstatSync(file)
  if (!fitsWal(file, `${realpathSync(path)}-wal`)) throw new InboxUnavailable('replaced')
  const { database, guard } = await openDatabase(path, file, timeoutMs).catch((error) =>
    openUnwritable(options, error),
  )
  resources.use(database)
  resources.use(guard)
  let counter = readCounter(file) ?? 0

  function isMoved(): boolean {
    const current = findStat(path)
    return current?.ino !== opened.ino || current.dev !== opened.dev
  }

  /** False after the file was moved, replaced or overwritten. */
  function isSame(): boolean {
    const next = readCounter(file)
    if (isMoved() || next === undefined) return false
    const isCounted = isBetween(counter, next, getCounter(database))
    if (isCounted) counter = next
    return isCounted
  }

  function canClose(): boolean {
    try {
      return isSame()
    } catch {
      return false
    }
  }

  const open = resources.move()
  return {
    database,
    createSession: createSessions(database, mailPerHour),
    isMoved,
    isSame,
    close(): void {
      // The last connection that can write copies the WAL into the file: close it before the guard if it must not.
      if (!canClose()) database.close()
      open.dispose()
    },
  }
}
