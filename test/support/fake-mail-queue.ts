import { DatabaseSync } from 'node:sqlite'
import type { MailQueue } from '../../server/inbox/inbox.ts'
import { InboxUnavailable } from '../../server/inbox/inbox-errors.ts'
import { createOperations } from '../../server/inbox/inbox-facade.ts'
import { perform } from '../../server/inbox/operations/index.ts'
import { MIGRATIONS } from '../../server/inbox/sqlite/connection.ts'
import { createSessions } from '../../server/inbox/sqlite/sqlite-session.ts'
import { createStored, soon } from './inbox.ts'

/** An inbox's mail queue in memory, without a thread; takes the time from Date. */
export function createMailQueue() {
  const database = new DatabaseSync(':memory:')
  database.exec(MIGRATIONS.join(';'))
  const createSession = createSessions(database)
  const operations = createOperations(async (name, args) => {
    if (queue.unavailable) throw new InboxUnavailable('locked')
    return perform(name, createSession(Date.now()), args)
  })
  /** The first column of the rows that a query finds. */
  const select = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0])
  const { lease, settle, nextDueIn, queueDigest }: MailQueue = operations
  const queue = {
    ...{ lease, settle, nextDueIn, queueDigest, database, select },
    /** While true, every call rejects. */
    unavailable: false,
    add: (reference: string, status: 'new' | 'dead' = 'new') =>
      operations.importMessages(soon(), [createStored({ reference, status })]),
    /** References of the messages whose last try had this outcome. */
    listBy: (outcome: 'mailed' | 'later' | 'dead') =>
      select(`SELECT mail_id FROM (
        SELECT mail_id, outcome, max(id) FROM attempts GROUP BY mail_id
      ) WHERE outcome = '${outcome}'`),
  }
  return queue
}
