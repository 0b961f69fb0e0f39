import type { DatabaseSync } from 'node:sqlite'
import type { Operations } from '../operations.ts'
import { createCheckOperations } from './check-operations.ts'
import { createEraseOperations } from './erase-operations.ts'
import { createMailOperations } from './mail-operations.ts'
import { createMessageOperations } from './message-operations.ts'
import { getVersion } from './migrations.ts'
import { createOverviewOperations } from './overview-operations.ts'
import { createStatusOperations } from './status-operations.ts'
import { createTransferOperations } from './transfer-operations.ts'

/** Everything that the worker can be asked to do, each within a transaction of its batch. */
export function createOperations(database: DatabaseSync): Operations {
  const insertAudit = database.prepare(
    'INSERT INTO audit (noted_at, action, subject) VALUES (?, ?, ?)',
  )

  return {
    ...createMessageOperations(database),
    ...createMailOperations(database),
    ...createOverviewOperations(database),
    ...createStatusOperations(database),
    ...createEraseOperations(database),
    ...createTransferOperations(database),
    ...createCheckOperations(database),

    /** Writes what stands there already, so that a full or read-only disk shows. */
    probe() {
      database.exec(`PRAGMA user_version = ${getVersion(database)}`)
    },

    audit(action, subject, now) {
      insertAudit.run(now, action, subject)
    },
  }
}
