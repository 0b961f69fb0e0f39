import { InboxUnavailable } from '../inbox.ts'
import { createMigrations } from '../migrations.ts'
import type { Session } from '../session.ts'

const MIGRATIONS = createMigrations({
  key: 'text COLLATE "C"',
  text: 'text',
  integer: 'bigint',
  smallInteger: 'integer',
  id: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  freshId: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  table: '',
  clusteredTable: '',
  unreadColumns: 'received_at, reference',
})

type Transact = <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>

/** Migrates a database, one transaction for each step. If several processes migrate, only one runs each step. */
export async function migrate(transact: Transact, create: boolean): Promise<void> {
  const step = async (session: Session) => {
    await session.lock('migration')
    const [found] = await session.query<{ name: string | null }>(
      "SELECT to_regclass('inbox_schema') AS name",
    )
    if (!found?.name) {
      if (!create) throw new InboxUnavailable('missing')
      await session.query(`CREATE TABLE inbox_schema (version integer NOT NULL);
        INSERT INTO inbox_schema VALUES (0)`)
    }
    const [row] = await session.query<{ version: number }>('SELECT version FROM inbox_schema')
    const version = row?.version ?? 0
    if (version > MIGRATIONS.length) throw new InboxUnavailable('newer-build')
    const migration = MIGRATIONS[version]
    if (migration === undefined) return false
    await session.query(`${migration}; UPDATE inbox_schema SET version = ${version + 1}`)
    return true
  }
  while (await transact(step));
}
