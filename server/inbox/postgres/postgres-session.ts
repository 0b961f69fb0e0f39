import { type ClientBase, DatabaseError, type QueryResult, type QueryResultRow } from 'pg'
import { InboxUnavailable, OperationRefused, type UnavailableReason } from '../inbox-errors.ts'
import type { Session, SqlValue } from '../session.ts'

// The first match counts. https://www.postgresql.org/docs/current/errcodes-appendix.html
const REASONS: [codes: RegExp, reason: UnavailableReason][] = [
  // 42704 and 55P02: DATABASE_URL contains a wrong setting.
  [/^(08|28|3D|3F|42501|42704|53300|55P02|57P)/, 'cannot-open'],
  // 23503: the referenced row was erased meanwhile; 40: deadlocks and conflicts.
  [/^(23503|40|55P03)/, 'locked'],
  [/^(25P03|25P04|57014)/, 'deadline'],
  [/^25006/, 'read-only'],
  [/^42P01/, 'missing'], // the tables were dropped
  [/^53100/, 'full'],
  [/^58/, 'disk-fault'],
  [/^XX00[12]/, 'damaged'],
  // Of the other codes, those of the classes 20 to 23, 42 and 54 blame our statement; the rest counts as the server's.
  [/^(?!2[0-3]|42|54)/, 'server-fault'],
]

/** Keeps the driver's error only with `cannot-open`: other SQL errors may quote a visitor's text. */
export function toInboxError(error: unknown): Error {
  if (error instanceof InboxUnavailable) return error
  if (!(error instanceof DatabaseError)) {
    return new InboxUnavailable('cannot-open', { cause: error })
  }
  const { code = '' } = error
  const [, reason] = REASONS.find(([codes]) => codes.test(code)) ?? []
  if (!reason) return new Error(`PostgreSQL refused the statement with SQLSTATE ${code}`)
  return new InboxUnavailable(reason, { cause: reason === 'cannot-open' ? error : { code } })
}

const PROBE = `LOCK TABLE messages IN ROW EXCLUSIVE MODE;
  CREATE TEMP TABLE probe (content text) ON COMMIT DROP;
  INSERT INTO probe SELECT repeat(' ', 1024) FROM generate_series(1, 64)`

async function run(client: ClientBase, sql: string, values?: SqlValue[]): Promise<QueryResult> {
  try {
    const result = await client.query<QueryResultRow>(sql, values)
    // For several statements in one query, the driver returns an array of results, which its types omit.
    return Array.isArray(result) ? result.at(-1) : result
  } catch (error) {
    throw toInboxError(error)
  }
}

export async function query<Row>(client: ClientBase, sql: string, values?: SqlValue[]) {
  const { rows }: { rows: Row[] } = await run(client, sql, values)
  return rows
}

export function createSession(
  client: ClientBase,
  { now, mailPerHour }: Pick<Session, 'now' | 'mailPerHour'>,
): Session {
  return {
    now,
    mailPerHour,
    query: (sql, values) => query(client, sql, values),
    change: async (sql, values) => (await run(client, sql, values)).rowCount ?? 0,
    async lock(...keys) {
      // A hash collision only makes a transaction wait for an unrelated one.
      const locks = keys.map((_, n) => `pg_advisory_xact_lock(hashtextextended($${n + 1}, 0))`)
      await run(client, `SELECT ${locks.join(', ')}`, keys)
    },
    async probe() {
      await run(client, PROBE)
    },
    // PostgreSQL itself reports damage when it reads a page, if its data checksums are on.
    findDamage: async () => [],
    scrub: async () => 'unsupported',
    async backUp() {
      throw new OperationRefused('ENOTSUP', 'PostgreSQL')
    },
  }
}
