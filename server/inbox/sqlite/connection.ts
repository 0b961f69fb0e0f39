import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { InboxUnavailable, UNWRITABLE } from '../inbox-errors.ts'
import { createMigrations } from '../schema.ts'
import { refuseNetworkFileSystem } from './file-system.ts'
import { openFiles } from './same-file.ts'
import { createSessions, findReason, inWriteTransaction, underLock } from './sqlite-session.ts'

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
  if (!found?.size) {
    // SQLite would delete the WAL of a file that was moved away or emptied.
    if (findStat(`${path}-wal`)?.size) throw new InboxUnavailable('replaced')
    if (!create) throw new InboxUnavailable('missing')
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
  }
  // SQLite makes the index after the WAL, and deletes it before. An index without its WAL belongs to a process that still
  // holds a deleted WAL. The second look excludes a process that opens or closes the store now.
  const lacksWal = () => !findStat(`${path}-wal`)
  if (lacksWal() && findStat(`${path}-shm`) && lacksWal()) throw new InboxUnavailable('replaced')
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
  // Otherwise the undo data of savepoints, with visitors' text, could get into a temporary file.
  setPragma(database, 'temp_store', 'MEMORY')
  // After a long read, SQLite cuts the write-ahead log to this size when it starts the log anew.
  setPragma(database, 'journal_size_limit', String(MAX_IDLE_WAL_BYTES))
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
    await inWriteTransaction(database, async () => {
      // Read again under the lock: another process may have migrated first.
      const version = getVersion(database)
      const migration = migrations[version]
      if (migration) database.exec(`${migration}; PRAGMA user_version = ${version + 1}`)
    })
  }
  if (getVersion(database) > migrations.length) throw new InboxUnavailable('newer-build')
}

async function openDatabase(path: string, timeoutMs: number) {
  using resources = new DisposableStack()
  let files: ReturnType<typeof openFiles> | undefined
  // Close the files after the database: closing one drops SQLite's locks on it in this process.
  resources.defer(() => files?.close())
  const guard = resources.use(new DatabaseSync(path, { readOnly: true, timeout: timeoutMs }))
  // The last connection that can write copies the WAL into the file, unless the guard has opened the WAL too.
  const guardWal = () => guard.prepare('PRAGMA user_version').get()
  guardWal()
  const database = resources.use(new DatabaseSync(path, { timeout: timeoutMs }))
  configure(database)
  underLock(database, () => {
    files = openFiles(path)
    if (!files.areSame()) throw new InboxUnavailable('replaced')
  })
  const isNew = getVersion(database) === 0
  await migrate(database)
  // Brings the first counter into the file.
  if (isNew) database.exec('PRAGMA wal_checkpoint')
  makePrivate(path)
  // A new file had no WAL before.
  guardWal()
  return { database, guard, files, resources: resources.move() }
}

/** With `salvage`, opens a file that SQLite cannot write, without the files of its WAL. Otherwise throws `error`. */
async function openUnwritable({ path, salvage }: ConnectionOptions, error: unknown) {
  const reason = findReason(error)
  const isUnwritable = reason === 'cannot-open' || (reason && UNWRITABLE.includes(reason))
  // `immutable` ignores the WAL, which may hold the newest messages.
  if (!salvage || !isUnwritable || findStat(`${path}-wal`)?.size) throw error
  using resources = new DisposableStack()
  const url = new URL(`${pathToFileURL(path)}?immutable=1`)
  const database = resources.use(new DatabaseSync(url, { readOnly: true }))
  await migrate(database)
  return { database, guard: undefined, files: undefined, resources: resources.move() }
}

/** `timeoutMs` is the maximum wait for another process's lock. */
export async function openConnection(options: ConnectionOptions, timeoutMs: number) {
  const { path, mailPerHour } = options
  refuseNetworkFileSystem(path)
  prepareFile(options)
  const { database, guard, files, resources } = await openDatabase(path, timeoutMs).catch((error) =>
    openUnwritable(options, error),
  )
  /** The counter of the last transaction of this connection. */
  let counter: number | undefined
  /** If true, SQLite may have read pages of another file, so the right one does not help before the next start. */
  let isOverwritten = false

  const isReplaced = (mayLackWal?: boolean) => isOverwritten || files?.isMoved(mayLackWal)

  /** Call this under the write lock. */
  function refuseReplaced(mayLackWal?: boolean): void {
    isOverwritten ||= files?.areSame(counter) === false
    if (isReplaced(mayLackWal)) throw new InboxUnavailable('replaced')
  }

  const check = (mayLackWal?: boolean) => underLock(database, () => refuseReplaced(mayLackWal))

  return {
    database,
    createSession: createSessions(database, mailPerHour),
    isReplaced,
    check,
    async commit(work: () => Promise<void>): Promise<void> {
      counter = await inWriteTransaction(database, async () => {
        refuseReplaced()
        await work()
      })
    },
    close(): void {
      try {
        // A WAL that was deleted is still open, and the next start would lack its messages. Once the guard is closed, closing
        // the database copies the WAL into the file.
        check(true)
        guard?.close()
      } catch {}
      resources.dispose()
    },
  }
}
