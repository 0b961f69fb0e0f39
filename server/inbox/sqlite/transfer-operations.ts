import type { DatabaseSync } from 'node:sqlite'
import { toRecord } from '../message-row.ts'
import type { Operations } from '../operations.ts'
import { backUp } from './backup.ts'
import { createInsert } from './insert.ts'

/** How messages come from another store, or go into a copy. */
export function createTransferOperations(
  database: DatabaseSync,
): Pick<Operations, 'importMessages' | 'backup'> {
  const insert = createInsert(database)
  const findHash = database.prepare('SELECT content_hash AS hash FROM messages WHERE reference = ?')

  return {
    importMessages(messages, now) {
      const records = messages.map(toRecord)
      const present = records.filter((record) => !insert(record, now))
      const different = present.filter(
        ({ reference, content_hash }) => findHash.get(reference)?.hash !== content_hash,
      )
      return {
        imported: records.length - present.length,
        present: present.length - different.length,
        different: different.map(({ reference }) => reference),
      }
    },

    backup(path) {
      backUp(database, path)
    },
  }
}
