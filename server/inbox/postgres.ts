import pg, { type PoolClient } from 'pg'
import type { Database, Driver, DriverOptions, SqlValue, Work } from './driver.ts'
import { POSTGRES_MIGRATIONS as MIGRATIONS } from './schema.ts'
import { StoreUnavailable, type UnavailableReason } from './store-errors.ts'

/** Small, because several processes on several machines share the connections of the server. */
const POOL_SIZE = 5
const CONNECT_TIMEOUT_MS = 2000
const MIGRATION_TIMEOUT_MS = 60_000
/** Time after the deadline in which the server's own timeout, or its answer to a COMMIT, may still arrive. */
const EXTRA_MS = 500

// Parses bigint as Number, which is exact for epoch milliseconds and counts: they are far below 2 ** 53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Classes of SQLSTATE that blame our statement. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const STATEMENT_FAULT = /^(2[0-3]|42(?!501|P01)|54)/
const REASONS: Record<string, UnavailableReason> = {
  '25006': 'read-only',
  '40001': 'locked',
  '40P01': 'locked', // deadlock
  '42P01': 'missing', // the tables were dropped
  '53100': 'full',
}

/** Drops the texts of the driver, which may quote a visitor's. */
function toStoreError(error: unknown): Error {
  const { code = '' } = error as { code?: string }
  if (STATEMENT_FAULT.test(code)) return new Error(`PostgreSQL refused SQL with SQLSTATE ${code}`)
  return new StoreUnavailable(REASONS[code] ?? 'cannot-open', code)
}

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
    if (!create) throw new StoreUnavailable('missing')
    await db.query('CREATE TABLE inbox_schema (version integer NOT NULL)')
    await db.query('INSERT INTO inbox_schema VALUES (0)')
  } else if (version > MIGRATIONS.length) throw new StoreUnavailable('newer-build')
  for (const migration of MIGRATIONS.slice(version ?? 0)) await db.query(migration)
  await db.change('UPDATE inbox_schema SET version = $1', [MIGRATIONS.length])
}

function createSession(client: PoolClient, deadline: number): Omit<Database, 'now'> {
  async function run(text: string, values?: SqlValue[]): Promise<pg.QueryResult> {
    const query_timeout = Math.max(0, deadline - Date.now()) + EXTRA_MS
    // A variable, because the types of pg know `query_timeout` of a client only.
    const query = { text, values, query_timeout }
    try {
      const result = await client.query(query)
      // For several statements in one query, the driver returns an array of results, which its types omit.
      return Array.isArray(result) ? result.at(-1) : result
    } catch (error) {
      throw Date.now() > deadline ? new StoreUnavailable('deadline') : toStoreError(error)
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

export function createPostgres(url: string, { now, create = true }: DriverOptions): Driver {
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

  async function inTransaction<T>(work: Work<T>, deadline: number, readOnly = false): Promise<T> {
    // pool.connect throws synchronously when a certificate cannot be read.
    const client = await Promise.try(() => pool.connect()).catch((error) => {
      throw toStoreError(error)
    })
    let isCommitting = false
    try {
      const session = createSession(client, deadline)
      const timeoutMs = Math.max(1, deadline - Date.now())
      const [time] = await session.query<{ now: number }>(begin(timeoutMs, readOnly))
      const value = await work({ ...session, now: now?.() ?? Number(time?.now) })
      if (Date.now() > deadline) throw new StoreUnavailable('deadline')
      isCommitting = true
      await session.query('COMMIT')
      client.release()
      return value
    } catch (error) {
      // Ends the connection, because a ROLLBACK might not be answered.
      client.release(true)
      // Without an answer to COMMIT, the effect is unknown.
      throw isCommitting ? new StoreUnavailable('unconfirmed') : error
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
        if (error instanceof StoreUnavailable) isMigrated = false
        throw error
      }
    },
    close: () => pool.end(),
  }
}
