import type { OperationName, Operations } from '../operations.ts'
import { CHECK_OPERATIONS } from './check-operations.ts'
import { ERASE_OPERATIONS } from './erase-operations.ts'
import { MAIL_OPERATIONS } from './mail-operations.ts'
import { MESSAGE_OPERATIONS } from './message-operations.ts'
import { OVERVIEW_OPERATIONS } from './overview-operations.ts'
import type { Session } from './session.ts'
import { STATUS_OPERATIONS } from './status-operations.ts'

/** The operations of every store, each within the transaction of a session. */
export type PostgresOperations<Name extends OperationName = OperationName> = {
  [Each in Name]: (
    session: Session,
    ...args: Parameters<Operations[Each]>
  ) => Promise<ReturnType<Operations[Each]>>
}

export const OPERATIONS: PostgresOperations = {
  ...MESSAGE_OPERATIONS,
  ...MAIL_OPERATIONS,
  ...OVERVIEW_OPERATIONS,
  ...STATUS_OPERATIONS,
  ...ERASE_OPERATIONS,
  ...CHECK_OPERATIONS,

  /** Fails where the tables are locked, or the server takes no writes. */
  async probe(session) {
    await session.query('LOCK TABLE messages IN ROW EXCLUSIVE MODE')
  },

  async audit(session, action, subject, now) {
    const values = [now, action, subject]
    await session.change(
      'INSERT INTO audit (noted_at, action, subject) VALUES ($1, $2, $3)',
      values,
    )
  },

  async backup() {
    throw new Error(
      'PostgreSQL has its own: `pg_dump --format=custom "$DATABASE_URL" > FILE` copies it while it is in use. `export --format jsonl` works too.',
    )
  },
}
