import type { DatabaseSync } from 'node:sqlite'
import { listMessages } from '../messages.ts'
import type { Store } from '../store.ts'

/** The faults of a database, or of one that is attached to it. */
export function findDamage(database: DatabaseSync, schema = 'main'): string[] {
  const rows = ['integrity_check', 'foreign_key_check'].flatMap((check) =>
    database.prepare(`PRAGMA ${schema}.${check}`).all(),
  )
  return rows.map((row) => Object.values(row).join(' ')).filter((fault) => fault !== 'ok')
}

/** SQLite checks itself. PostgreSQL has no such command: it reports damage when it reads a page, so all messages are read. */
export async function verify({ store }: { store: Store }): Promise<string> {
  const damage = (await store.sqlite?.((database) => findDamage(database))) ?? []
  if (damage.length > 0) throw new Error(damage.join('\n'))
  await listMessages(store, {})
  return 'No fault was found in the inbox.\n'
}
