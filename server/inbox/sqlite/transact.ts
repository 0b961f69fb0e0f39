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
