import { toLocalDate } from './clock.ts'
import type { Message } from './message.ts'
import { type MessageRow, toMessage } from './message-row.ts'
import type { Database } from './store.ts'

/** Maximum number of messages of each kind that a letter quotes. */
const MAX_QUOTED = 10
/** Another process may commit a message with a time that is this much earlier: the next letter reports those again. */
const LATE_COMMIT_MS = 10_000

export interface ReportedMessages {
  count: number
  /** The first ten. */
  messages: Message[]
}

/** Facts since the last letter that a mail server accepted. */
export interface LetterFacts {
  /** Date in Toronto, YYYY-MM-DD. */
  date: string
  /** The next letter reports from here on, in epoch ms. */
  until: number
  quarantined: ReportedMessages
  givenUp: ReportedMessages
  /** Quarantined messages that an earlier letter has reported. */
  oldQuarantined: number
  /** All messages that wait to be mailed, those that were given up included, and since when, in epoch ms. */
  waiting: { count: number; since: number }
  mailed: number
  clientErrors: number
}

async function count(db: Database, sql: string, values: number[] = []): Promise<number> {
  const [row] = await db.query<{ number: number | null }>(`SELECT ${sql}`, values)
  return Number(row?.number ?? 0)
}

async function findMessages(db: Database, where: string, last: number): Promise<ReportedMessages> {
  const from = `FROM messages JOIN outbox ON outbox.reference = messages.reference WHERE ${where}`
  const rows = await db.query<MessageRow>(
    `SELECT messages.* ${from} ORDER BY received_at, messages.reference LIMIT ${MAX_QUOTED}`,
    [last],
  )
  return {
    count: await count(db, `count(*) AS number ${from}`, [last]),
    messages: rows.map(toMessage),
  }
}

export async function gatherLetter(db: Database): Promise<LetterFacts> {
  const last = await count(db, "queued_at AS number FROM outbox WHERE id = 'letter'")
  const [waiting] = await db.query<{ count: number; since: number | null }>(
    `SELECT count(*) AS count, min(queued_at) AS since FROM outbox
    WHERE due_at IS NOT NULL AND reference IS NOT NULL`,
  )
  const quarantined = await findMessages(db, "status = 'quarantined' AND queued_at > $1", last)
  const allQuarantined = await count(
    db,
    "count(*) AS number FROM messages WHERE status = 'quarantined'",
  )
  return {
    date: toLocalDate(db.now),
    until: db.now - LATE_COMMIT_MS,
    quarantined,
    oldQuarantined: allQuarantined - quarantined.count,
    givenUp: await findMessages(
      db,
      `status = 'dead' AND EXISTS (
        SELECT 1 FROM attempts WHERE mail_id = messages.reference AND outcome = 'dead' AND tried_at > $1
      )`,
      last,
    ),
    waiting: { count: waiting?.count ?? 0, since: waiting?.since ?? db.now },
    mailed: await count(
      db,
      "count(*) AS number FROM attempts WHERE outcome = 'mailed' AND tried_at > $1",
      [last],
    ),
    clientErrors: await count(db, 'sum(number - reported) AS number FROM client_errors'),
  }
}
