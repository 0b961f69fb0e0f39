import type { DatabaseSync } from 'node:sqlite'
import { createHitOperations } from './hit-operations.ts'
import { createMessageOperations } from './message-operations.ts'
import { getVersion } from './migrations.ts'

/** Everything that the worker can be asked to do, each within a transaction of its batch. */
export function createOperations(database: DatabaseSync) {
  const insertAudit = database.prepare(
    'INSERT INTO audit (noted_at, action, subject) VALUES (?, ?, ?)',
  )

  return {
    ...createMessageOperations(database),
    ...createHitOperations(database),

    /** Writes what stands there already, so that a full or read-only disk shows. */
    probe(): void {
      database.exec(`PRAGMA user_version = ${getVersion(database)}`)
    },

    audit(action: string, subject: string, now: number): void {
      insertAudit.run(now, action, subject)
    },
  }
}

export type Operations = ReturnType<typeof createOperations>
export type OperationName = keyof Operations

/** These need no write lock, so they work while someone else holds it. */
export const READS: ReadonlySet<OperationName> = new Set(['findReceipt', 'find', 'list'])
