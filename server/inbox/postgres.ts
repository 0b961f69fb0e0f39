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
const CONNECT_TIMEOUT_MS = 3000
/** The server times out this much earlier, so that its error arrives before the deadline. */
const SERVER_HEAD_START_MS = 20
/** Time after the deadline to wait for the answer to a COMMIT. */
const COMMIT_EXTRA_MS = 1000
const MIGRATION_TIMEOUT_MS = 5 * 60_000

// Parses bigint as Number, which is exact for epoch milliseconds and counts: they are far below 2 ** 53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

// The first match counts. https://www.postgresql.org/docs/current/errcodes-appendix.html
const REASONS: [codes: RegExp, reason: UnavailableReason][] = [
  [/^(08|28|3D|3F|42501|42704|53300|57P)/, 'cannot-open'],
  [/^(23503|40|55P03)/, 'locked'], // 23503: the message was erased meanwhile; 40: deadlocks and conflicts
  [/^(25P|57014)/, 'deadline'],
  [/^25006/, 'read-only'],
  [/^42P01/, 'missing'], // the tables were dropped
  [/^53100/, 'full'],
  [/^58/, 'disk-fault'],
  [/^XX00[12]/, 'damaged'],
  // Of the other codes, those of the classes 20 to 23, 42 and 54 blame our statement; the rest counts as the server's.
  [/^(?!2[0-3]|42|54)/, 'server-fault'],
]

/** Keeps the driver's error only with `cannot-open`: other errors may quote a visitor's text. */
function toInboxError(error: unknown): Error {
  if (error instanceof InboxUnavailable) return error
  if (!(error instanceof pg.DatabaseError)) {
    return new InboxUnavailable('cannot-open', { cause: error })
  }
  const { code = '' } = error
  const [, reason] = REASONS.find(([codes]) => codes.test(code)) ?? []
  if (!reason) return new Error(`PostgreSQL refused the statement with SQLSTATE ${code}`)
  return new InboxUnavailable(reason, { cause: reason === 'cannot-open' ? error : { code } })
}

async function run(client: PoolClient, sql: string, values?: SqlValue[]): Promise<pg.QueryResult> {
  try {
    const result = await client.query(sql, values)
    // For several statements in one query, the driver returns an array of results, which its types omit.
    return Array.isArray(result) ? result.at(-1) : result
  } catch (error) {
    throw toInboxError(error)
  }
}

const createSession = (client: PoolClient, now: number): Database => ({
  now,
  query: async (sql, values) => (await run(client, sql, values)).rows,
  change: async (sql, values) => (await run(client, sql, values)).rowCount ?? 0,
  async lock(key) {
    await run(client, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key])
  },
})

/** Rejects with `reason` if the promise has not settled by `deadline` (epoch ms). */
async function rejectLate<Value>(
  promise: Promise<Value>,
  deadline: number,
  reason: UnavailableReason,
): Promise<Value> {
  const late = Promise.withResolvers<never>()
  // At least 1: Node warns of a timer with a negative delay.
  const delayMs = Math.max(1, deadline - Date.now())
  const timer = setTimeout(late.reject, delayMs, new InboxUnavailable(reason))
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
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

async function findVersion(db: Database): Promise<number | undefined> {
  // to_regclass could still answer from a cache that was filled before another process created the table.
  const found = await db.query(
    "SELECT 1 FROM pg_class WHERE relname = 'inbox_schema' AND pg_table_is_visible(oid)",
  )
  if (found.length === 0) return undefined
  const [row] = await db.query<{ version: number }>('SELECT version FROM inbox_schema')
  return row?.version
}

/** Of several processes that migrate at the same time, one runs each step. */
async function migrate(db: Database, create: boolean): Promise<void> {
  let version = await findVersion(db)
  if (version === undefined && !create) throw new InboxUnavailable('missing')
  if (version === MIGRATIONS.length) return
  await db.lock('migration')
  version = await findVersion(db)
  if (version === undefined) {
    await db.query('CREATE TABLE inbox_schema (version integer NOT NULL)')
    await db.query('INSERT INTO inbox_schema VALUES (0)')
  }
  if (Number(version) > MIGRATIONS.length) throw new InboxUnavailable('newer-build')
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
  let migrated: Promise<void> | undefined

  /** A write that waited for a lock must see what its holder committed, so it reads what is committed. */
  function begin(deadline: number, readOnly: boolean): string {
    const timeout = Math.max(1, Math.floor(deadline - Date.now() - SERVER_HEAD_START_MS))
    return `BEGIN ISOLATION LEVEL ${readOnly ? 'REPEATABLE READ READ ONLY' : 'READ COMMITTED'};
      SET LOCAL synchronous_commit = on;
      SET LOCAL lock_timeout = ${timeout};
      SET LOCAL statement_timeout = ${timeout};
      SET LOCAL idle_in_transaction_session_timeout = ${timeout + COMMIT_EXTRA_MS};
      SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`
  }

  /** Without an answer to COMMIT, the effect is unknown. */
  async function inTransaction<T>(work: Work<T>, deadline: number, readOnly = false): Promise<T> {
    // pool.connect throws synchronously when a certificate cannot be read.
    const client = await Promise.try(() => pool.connect()).catch((error) => {
      throw toInboxError(error)
    })
    const beginAndWork = async () => {
      const [time] = (await run(client, begin(deadline, readOnly))).rows
      return work(createSession(client, now?.() ?? time.now))
    }
    let isCommitting = false
    try {
      const value = await rejectLate(beginAndWork(), deadline, 'deadline')
      isCommitting = true
      await rejectLate(run(client, 'COMMIT'), deadline + COMMIT_EXTRA_MS, 'unconfirmed')
      client.release()
      return value
    } catch (error) {
      // Ends the connection, because a ROLLBACK might not be answered.
      client.release(true)
      const isLost =
        isCommitting && error instanceof InboxUnavailable && error.reason === 'cannot-open'
      throw isLost ? new InboxUnavailable('unconfirmed', { cause: error }) : error
    }
  }

  /** Migrates once; after a failure, or when the tables are gone, the next call tries again. */
  function ensureMigrated(): Promise<void> {
    migrated ??= inTransaction((db) => migrate(db, create), Date.now() + MIGRATION_TIMEOUT_MS)
    migrated.catch(() => {
      migrated = undefined
    })
    return migrated
  }

  return {
    async run(work, { deadline, readOnly }) {
      await rejectLate(ensureMigrated(), deadline, 'deadline')
      try {
        return await inTransaction(work, deadline, readOnly)
      } catch (error) {
        if (error instanceof InboxUnavailable && error.reason === 'missing') migrated = undefined
        throw error
      }
    },
    close: () => pool.end(),
  }
}
