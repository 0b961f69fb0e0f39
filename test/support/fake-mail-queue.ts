import { DatabaseSync } from 'node:sqlite'
import { InboxUnavailable, type MailQueue } from '../../server/inbox/inbox.ts'
import { toRow } from '../../server/inbox/message-row.ts'
import * as FUNCTIONS from '../../server/inbox/operations/index.ts'
import { MIGRATIONS } from '../../server/inbox/sqlite/connection.ts'
import { createSessions } from '../../server/inbox/sqlite/session.ts'
import { createStored } from './inbox.ts'

/** An inbox's mail queue in memory, without a thread; takes the time from Date. */
export class FakeMailQueue implements MailQueue {
  polls = 0
  /** While true, every call rejects. */
  unavailable = false
  /** False: no daily letter is queued. */
  hasDigests = false
  readonly database = new DatabaseSync(':memory:')
  private createSession = createSessions(this.database)

  constructor() {
    this.database.exec(MIGRATIONS.join(';'))
  }

  async add(reference: string, status: 'new' | 'dead' = 'new'): Promise<void> {
    const row = toRow(createStored({ reference, status }), Date.now())
    await FUNCTIONS.insertMessage(this.open(), row)
  }

  /** The first column of the rows that a query finds. */
  select(sql: string): unknown[] {
    const rows = this.database.prepare(sql).all()
    return rows.map((row) => Object.values(row)[0])
  }

  /** References of the messages whose last try had this outcome. */
  listBy(outcome: 'mailed' | 'later' | 'dead'): unknown[] {
    return this.select(`SELECT mail_id FROM (
      SELECT mail_id, outcome, max(id) FROM attempts GROUP BY mail_id
    ) WHERE outcome = '${outcome}'`)
  }

  queueDigest: MailQueue['queueDigest'] = async () => {
    const session = this.open()
    if (this.hasDigests) await FUNCTIONS.queueDigest(session)
  }
  lease: MailQueue['lease'] = async (options) => {
    this.polls += 1
    return FUNCTIONS.lease(this.open(), options)
  }
  settle: MailQueue['settle'] = async (mail, outcome) =>
    FUNCTIONS.settle(this.open(), mail, outcome)
  nextDueIn: MailQueue['nextDueIn'] = async () => FUNCTIONS.nextDueIn(this.open())

  private open() {
    if (this.unavailable) throw new InboxUnavailable('locked')
    return this.createSession(Date.now())
  }
}
