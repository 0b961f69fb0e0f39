import type { DatabaseSync } from 'node:sqlite'

const CONTRADICTIONS = {
  'message without an outbox row': `
    SELECT reference FROM messages WHERE reference NOT IN (SELECT reference FROM outbox)`,
  'outbox row without a message': `
    SELECT reference FROM outbox WHERE reference NOT IN (SELECT reference FROM messages)`,
  'new, but not queued': `
    SELECT reference FROM messages JOIN outbox USING (reference)
    WHERE status = 'new' AND due_at IS NULL`,
  'queued, but not new': `
    SELECT reference FROM messages JOIN outbox USING (reference)
    WHERE status <> 'new' AND due_at IS NOT NULL`,
}

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
      .prepare(`${query} LIMIT 100`)
      .all()
      .map(({ reference }) => `${reference}: ${fault}`),
  )
  return [...damage, ...orphans, ...contradictions]
}
