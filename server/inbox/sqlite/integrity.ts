import type { DatabaseSync } from 'node:sqlite'
import { CONTRADICTIONS, MOST_CONTRADICTIONS } from '../integrity-queries.ts'

/** What is wrong with a database, a line each; nothing when it is sound. */
export function findDamage(database: DatabaseSync): string[] {
  const damage = database
    .prepare('PRAGMA integrity_check')
    .all()
    .map(({ integrity_check }) => String(integrity_check))
    .filter((line) => line !== 'ok')
  const orphans = database
    .prepare('PRAGMA foreign_key_check')
    .all()
    .map(({ table, rowid }) => `${table}: row ${rowid ?? ''} belongs to nothing`)
  const contradictions = Object.entries(CONTRADICTIONS).flatMap(([fault, query]) =>
    database
      .prepare(`${query} LIMIT ${MOST_CONTRADICTIONS}`)
      .all()
      .map(({ reference }) => `${reference}: ${fault}`),
  )
  return [...damage, ...orphans, ...contradictions]
}
