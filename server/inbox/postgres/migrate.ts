import { InboxUnavailable } from '../inbox.ts'
import { createMigrations } from '../schema.ts'
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
})

export type Transact = <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>

async function findVersion(session: Session): Promise<number | undefined> {
  // to_regclass could still answer from a cache that was filled before another process created the table.
  const found = await session.query(
    "SELECT 1 FROM pg_class WHERE relname = 'inbox_schema' AND pg_table_is_visible(oid)",
  )
  if (found.length === 0) return undefined
  const [row] = await session.query<{ version: number }>('SELECT version FROM inbox_schema')
  return row?.version
}

/**
 * Migrates a database, one transaction for each step. If several processes migrate, only one runs each step. `check`
 * has a short deadline, so that a silent network blocks the calls that wait for it only briefly.
 */
export async function migrate(check: Transact, change: Transact, create: boolean): Promise<void> {
  const needsStep = async (session: Session) => {
    const version = await findVersion(session)
    if (version === undefined && !create) throw new InboxUnavailable('missing')
    if (Number(version) > MIGRATIONS.length) throw new InboxUnavailable('newer-build')
    return version !== MIGRATIONS.length
  }
  const step = async (session: Session) => {
    await session.lock('migration')
    const version = await findVersion(session)
    if (version === undefined) {
      await session.query(`CREATE TABLE inbox_schema (version integer NOT NULL);
        INSERT INTO inbox_schema VALUES (0)`)
    }
    const migration = MIGRATIONS[version ?? 0]
    if (migration === undefined) return
    await session.query(`${migration}; UPDATE inbox_schema SET version = ${(version ?? 0) + 1}`)
  }
  while (await check(needsStep)) await change(step)
}
