import type { DatabaseSync } from 'node:sqlite'
import { InboxUnavailable } from '../inbox.ts'
import { createMigrations } from '../schema.ts'
import { transact } from './session.ts'

export const MIGRATIONS = createMigrations({
  key: 'TEXT',
  text: 'TEXT',
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
    await transact(database, async () => {
      // Read again under the lock: another process may have migrated first.
      const version = getVersion(database)
      const migration = migrations[version]
      if (migration) database.exec(`${migration}; PRAGMA user_version = ${version + 1}`)
    })
  }
  if (getVersion(database) > migrations.length) throw new InboxUnavailable('newer-build')
}
