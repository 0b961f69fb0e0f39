import { createHash } from 'node:crypto'
import type { ClientBase, QueryResult, QueryResultRow } from 'pg'
import { toFault } from './error-codes.ts'

/** What an operation does within its transaction. */
export interface Session {
  /** Resolves to the rows of the last statement. */
  query<Row extends QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>
  /** Resolves to the number of rows that were changed. */
  change(sql: string, values?: unknown[]): Promise<number>
  /** Waits until it alone holds these keys, one after the other, and holds them until the transaction ends. */
  lock(...keys: string[]): Promise<void>
}

/** PostgreSQL's advisory locks are known by 64 bits; two keys that share them only wait for each other. */
export function toLockNumber(key: string): string {
  return createHash('sha256').update(key).digest().readBigInt64BE().toString()
}

export function createSession(client: ClientBase): Session {
  async function run<Row extends QueryResultRow>(sql: string, values?: unknown[]) {
    try {
      const result = await client.query<Row>(sql, values)
      // Several statements in one query have an array of results, which the driver's types leave out.
      const last: QueryResult<Row> = Array.isArray(result) ? result.at(-1) : result
      return last
    } catch (error) {
      throw toFault(error)
    }
  }

  return {
    query: async <Row extends QueryResultRow>(sql: string, values?: unknown[]) =>
      (await run<Row>(sql, values)).rows,
    change: async (sql, values) => (await run(sql, values)).rowCount ?? 0,
    async lock(...keys) {
      const locks = keys.map((_, index) => `pg_advisory_xact_lock($${index + 1})`)
      await run(`SELECT ${locks.join(', ')}`, keys.map(toLockNumber))
    },
  }
}
