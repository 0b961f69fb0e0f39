import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { InboxUnavailable } from '../inbox.ts'
import type { Operations } from '../operations.ts'
import { refuseNetworkFileSystem } from './file-system.ts'
import { migrate } from './migrations.ts'
import { createOperations } from './operations.ts'

export interface ConnectionOptions {
  path: string
  /** Makes the file, and folders of mode 0700 around it, when there is none. */
  create: boolean
}

export interface Connection {
  database: DatabaseSync
  operations: Operations
  /** False once the file has been deleted or replaced by another one. */
  isCurrent(): boolean
}

const FULL = 2

function getStat(path: string) {
  return statSync(path, { throwIfNoEntry: false })
}

// SQLite gives its -wal and -shm files the mode of the database file. An existing database file is
// never opened here: closing it would drop the locks that SQLite holds on it in this process.
function prepareFile({ path, create }: ConnectionOptions): void {
  if (!getStat(path)) {
    if (!create) throw new InboxUnavailable('missing')
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
  }
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const stat = getStat(file)
    // A folder that is named by mistake must not be shut to all others.
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
  if (journal !== 'wal' || synchronous !== FULL) throw new InboxUnavailable('weak-durability')
  setPragma(database, 'foreign_keys', 'ON')
  setPragma(database, 'secure_delete', 'ON')
  // Undo data of savepoints would otherwise leave visitors' text in a temporary file.
  setPragma(database, 'temp_store', 'MEMORY')
}

/**
 * Opens the database and brings its schema up to date.
 * @param timeout how long a foreign lock is waited for, in ms
 */
export function openConnection(options: ConnectionOptions, timeout: number): Connection {
  refuseNetworkFileSystem(options.path)
  prepareFile(options)
  const opened = statSync(options.path)
  const database = new DatabaseSync(options.path, { timeout })
  try {
    configure(database)
    migrate(database)
    return {
      database,
      operations: createOperations(database),
      isCurrent() {
        const now = getStat(options.path)
        return now?.ino === opened.ino && now.dev === opened.dev
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}
