import type { DatabaseSync } from 'node:sqlite'
import { findBroken, type MessageRecord } from '../message-row.ts'
import type { Operations } from '../operations.ts'
import { findDamage } from './integrity.ts'

/** What `verify` looks at. */
export function createCheckOperations(
  database: DatabaseSync,
): Pick<Operations, 'findFaults' | 'checkHashes'> {
  const listRecords = database.prepare(
    'SELECT * FROM messages WHERE reference > ? ORDER BY reference LIMIT ?',
  )

  return {
    findFaults: () => findDamage(database),

    checkHashes({ limit, after = '' }) {
      return findBroken(listRecords.all(after, limit) as unknown as MessageRecord[])
    },
  }
}
