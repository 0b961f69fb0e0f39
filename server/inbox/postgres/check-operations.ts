import { CONTRADICTIONS, MOST_CONTRADICTIONS } from '../integrity-queries.ts'
import { findBroken, type MessageRecord } from '../message-row.ts'
import type { PostgresOperations } from './operations.ts'

/** What `verify` looks at; pages on the disk are the business of PostgreSQL's own checksums. */
export const CHECK_OPERATIONS: PostgresOperations<'findFaults' | 'checkHashes'> = {
  async findFaults(session) {
    const faults: string[] = []
    for (const [fault, query] of Object.entries(CONTRADICTIONS)) {
      const rows = await session.query(`${query} LIMIT ${MOST_CONTRADICTIONS}`)
      faults.push(...rows.map(({ reference }) => `${reference}: ${fault}`))
    }
    return faults
  },

  async checkHashes(session, { limit, after = '' }) {
    const sql = 'SELECT * FROM messages WHERE reference > $1 ORDER BY reference LIMIT $2'
    return findBroken(await session.query<MessageRecord>(sql, [after, limit]))
  },
}
