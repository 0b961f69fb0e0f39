import pg, { type PoolClient } from 'pg'
import { InboxUnavailable, type UnavailableReason } from './inbox-errors.ts'
import { createMigrations } from './schema.ts'
import type { Database, Driver, SqlValue, Work } from './store.ts'

interface PostgresOptions {
  url: string
  now?: () => number
  /** True creates the tables in an empty database. */
  create: boolean
}

/** Small, because several processes on several machines share the connections of the server. */
const POOL_SIZE = 5
const CONNECT_TIMEOUT_MS = 2000
/** Time after the deadline in which the server's own timeout, or its answer to a COMMIT, may still arrive. */
const EXTRA_MS = 500
const MIGRATION_TIMEOUT_MS = 60_000

// Parses bigint as Number, which is exact for epoch milliseconds and counts: they are far below 2 ** 53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

// The first match counts. https://www.postgresql.org/docs/current/errcodes-appendix.html
const REASONS: [codes: RegExp, reason: UnavailableReason][] = [
  [/^(08|28|3D|3F|42501|53300|57P)/, 'cannot-open'],
  [/^(23503|40|55P03)/, 'locked'], // 23503: the message was erased meanwhile; 40: deadlocks and conflicts
  [/^(25P|57014)/, 'deadline'],
  [/^25006/, 'read-only'],
  [/^42P01/, 'missing'], // the tables were dropped
  [/^53100/, 'full'],
  // Of the other codes, those of the classes 20 to 23, 42 and 54 blame our statement.
  [/^(?!2[0-3]|42|54)/, 'failed'],
]

/** Keeps no text of the driver, which may quote a visitor's. */
function toInboxError(error: unknown): Error {
  if (error instanceof InboxUnavailable) return error
  const { code = '' } = error as { code?: string }
  if (!(error instanceof pg.DatabaseError)) return new InboxUnavailable('cannot-open', code)
  const [, reason] = REASONS.find(([codes]) => codes.test(code)) ?? []
  if (reason) return new InboxUnavailable(reason, code)
  return new Error(`PostgreSQL refused the statement with SQLSTATE ${code}`)
}

export const POSTGRES_WORDS = {
  key: 'text COLLATE "C"',
  integer: 'bigint',
  smallInteger: 'integer',
  id: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  freshId: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  table: '',
  clusteredTable: '',
}

const MIGRATIONS = createMigrations(POSTGRES_WORDS)

async function findVersion(db: Database): Promise<number | undefined> {
  const found = await db.query(
    "SELECT 1 FROM pg_class WHERE relname = 'inbox_schema' AND pg_table_is_visible(oid)",
  )
  if (found.length === 0) return undefined
  const [row] = await db.query<{ version: number }>('SELECT version FROM inbox_schema')
  return row?.version
}

async function migrate(db: Database, create: boolean): Promise<void> {
  // Several processes may start at the same time.
  await db.lock('migration')
  const version = await findVersion(db)
  if (version === undefined) {
    if (!create) throw new InboxUnavailable('missing')
    await db.query('CREATE TABLE inbox_schema (version integer NOT NULL)')
    await db.query('INSERT INTO inbox_schema VALUES (0)')
  } else if (version > MIGRATIONS.length) throw new InboxUnavailable('newer-build')
  for (const migration of MIGRATIONS.slice(version ?? 0)) await db.query(migration)
  await db.change('UPDATE inbox_schema SET version = $1', [MIGRATIONS.length])
}

export function createPostgres({ url, now, create }: PostgresOptions): Driver {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'inbox',
  })
  // An error event without a listener would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  let isMigrated = false

  async function connect(): Promise<PoolClient> {
    try {
      return await pool.connect()
    } catch (error) {
      throw toInboxError(error)
    }
  }

  function createSession(client: PoolClient, deadline: number): Omit<Database, 'now'> {
    async function run(text: string, values?: SqlValue[]): Promise<pg.QueryResult> {
      // The types of pg know `query_timeout` of a client only.
      const query: pg.QueryConfig & { query_timeout: number } = {
        text,
        values,
        query_timeout: Math.max(0, deadline - Date.now()) + EXTRA_MS,
      }
      try {
        const result = await client.query(query)
        // For several statements in one query, the driver returns an array of results, which its types omit.
        return Array.isArray(result) ? result.at(-1) : result
      } catch (error) {
        throw Date.now() > deadline ? new InboxUnavailable('deadline') : toInboxError(error)
      }
    }
    return {
      query: async (sql, values) => (await run(sql, values)).rows,
      change: async (sql, values) => (await run(sql, values)).rowCount ?? 0,
      async lock(key) {
        await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key])
      },
    }
  }

  /** A write that waited for a lock must see what its holder committed, so it reads what is committed. */
  const begin = (timeoutMs: number, readOnly: boolean) => `
    BEGIN ISOLATION LEVEL ${readOnly ? 'REPEATABLE READ READ ONLY' : 'READ COMMITTED'};
    SET LOCAL synchronous_commit = on;
    SET LOCAL statement_timeout = ${timeoutMs};
    SET LOCAL idle_in_transaction_session_timeout = ${timeoutMs};
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`

  async function inTransaction<T>(work: Work<T>, deadline: number, readOnly = false): Promise<T> {
    const client = await connect()
    let isCommitting = false
    try {
      const session = createSession(client, deadline)
      const timeoutMs = Math.max(1, deadline - Date.now())
      const [time] = await session.query<{ now: number }>(begin(timeoutMs, readOnly))
      const value = await work({ ...session, now: now?.() ?? Number(time?.now) })
      if (Date.now() > deadline) throw new InboxUnavailable('deadline')
      isCommitting = true
      await session.query('COMMIT')
      client.release()
      return value
    } catch (error) {
      // Ends the connection, because a ROLLBACK might not be answered.
      client.release(true)
      // Without an answer to COMMIT, the effect is unknown.
      throw isCommitting ? new InboxUnavailable('unconfirmed') : error
    }
  }

  /** The check has the deadline of the call, because the network may be silent; a migration may take longer. */
  async function ensureMigrated(deadline: number): Promise<void> {
    if (isMigrated) return
    const version = await inTransaction(findVersion, deadline, true)
    if (version !== MIGRATIONS.length) {
      await inTransaction((db) => migrate(db, create), Date.now() + MIGRATION_TIMEOUT_MS)
    }
    isMigrated = true
  }

  return {
    async run(work, { deadline, readOnly }) {
      try {
        await ensureMigrated(deadline)
        return await inTransaction(work, deadline, readOnly)
      } catch (error) {
        // After an outage it may be another database.
        if (error instanceof InboxUnavailable) isMigrated = false
        throw error
      }
    },
    close: () => pool.end(),
  }
}
