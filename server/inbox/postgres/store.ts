import pg from 'pg'
import { InboxUnavailable } from '../inbox-errors.ts'
import { OPERATIONS, perform, type Store } from '../operations/index.ts'
import { createMigrations } from '../schema.ts'
import type { Session } from '../session.ts'
import { inTransaction, rejectLate } from './transaction.ts'

export interface PostgresStoreOptions {
  url: string
  create: boolean
  mailPerHour?: number
  /** Maximum wait for a connection from the pool; each check before the first operation may take twice as long. */
  connectTimeoutMs?: number
}

/** Small, because several processes on several machines share the connections of the server. */
const POOL_SIZE = 5
const CONNECT_TIMEOUT_MS = 3000
const KEEP_ALIVE_MS = 10_000
const MIGRATION_TIMEOUT_MS = 5 * 60 * 1000

// Parses bigint as Number, which is exact for epoch milliseconds and counts: they are far below 2 ** 53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

// synchronous_commit is not checked: every transaction sets it.
async function checkSettings(session: Session): Promise<void> {
  const [settings] = await session.query<Record<'fsync' | 'pages' | 'encoding', string>>(`
    SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
      current_setting('server_encoding') AS encoding`)
  const isDurable = [settings?.fsync, settings?.pages].every((value) => value === 'on')
  if (!isDurable) throw new InboxUnavailable('weak-durability')
  if (settings?.encoding !== 'UTF8') throw new InboxUnavailable('wrong-encoding')
}

const MIGRATIONS = createMigrations({
  key: 'text COLLATE "C"',
  integer: 'bigint',
  smallInteger: 'integer',
  id: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  freshId: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  table: '',
  clusteredTable: '',
})

async function findVersion(session: Session): Promise<number | undefined> {
  // to_regclass could still answer from a cache that was filled before another process created the table.
  const found = await session.query(
    "SELECT 1 FROM pg_class WHERE relname = 'inbox_schema' AND pg_table_is_visible(oid)",
  )
  if (found.length === 0) return undefined
  const [row] = await session.query<{ version: number }>('SELECT version FROM inbox_schema')
  return row?.version
}

async function needsMigration(session: Session, create: boolean): Promise<boolean> {
  const version = await findVersion(session)
  if (version === undefined && !create) throw new InboxUnavailable('missing')
  if (Number(version) > MIGRATIONS.length) throw new InboxUnavailable('newer-build')
  return version !== MIGRATIONS.length
}

/** Upgrades the database by one version. If several processes migrate, only one runs each step. */
async function migrate(session: Session): Promise<void> {
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

/** A store in a PostgreSQL database. Its first operation migrates the database. */
export function createPostgresStore(options: PostgresStoreOptions): Store {
  const { url, create, mailPerHour, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    // Notices a server that vanished during a COMMIT; by default, Linux checks only after two hours.
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    allowExitOnIdle: true,
    application_name: 'inbox',
  })
  // An error event without a listener would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const { promise: closing, resolve: beginClosing } = Promise.withResolvers<void>()
  let migrated: Promise<void> | undefined

  /** The checks have a short deadline: while one hangs on a silent network, all calls wait for it. */
  async function checkAndMigrate(): Promise<void> {
    const within = <Value>(timeoutMs: number, work: (session: Session) => Promise<Value>) =>
      inTransaction(pool, { deadline: Date.now() + timeoutMs, readOnly: false, closing }, work)
    const isBehind = () =>
      within(2 * connectTimeoutMs, (session) => needsMigration(session, create))
    await within(2 * connectTimeoutMs, checkSettings)
    while (await isBehind()) await within(MIGRATION_TIMEOUT_MS, migrate)
  }

  /** Migrates once; after a failure, or `missing` tables, the next call tries again. */
  function ensureMigrated(): Promise<void> {
    if (!migrated) {
      migrated = checkAndMigrate()
      migrated.catch(() => {
        migrated = undefined
      })
    }
    return migrated
  }

  return {
    async run(name, args, { deadline, now }) {
      const [kind] = OPERATIONS[name]
      await rejectLate(ensureMigrated(), deadline)
      try {
        const settings = { deadline, readOnly: kind === 'read', mailPerHour, now, closing }
        return await inTransaction(pool, settings, (session) => perform(name, session, args))
      } catch (error) {
        if (error instanceof InboxUnavailable && error.reason === 'missing') migrated = undefined
        throw error
      }
    },
    close() {
      beginClosing()
      return pool.end()
    },
  }
}
