import type { DatabaseSync } from 'node:sqlite'

/** Runs the work under the write lock and commits it, or undoes all of it and throws. */
export function transact(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    // A full disk makes SQLite end the transaction by itself.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** The same without waiting for the disk: the next transaction that does wait takes this one along. */
export function transactUnsynced(database: DatabaseSync, work: () => void): void {
  database.exec('PRAGMA synchronous = NORMAL')
  try {
    transact(database, work)
  } finally {
    database.exec('PRAGMA synchronous = FULL')
  }
}
