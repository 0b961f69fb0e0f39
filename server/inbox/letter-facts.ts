import { toLocalDate } from './clock.ts'
import type { Database } from './driver.ts'
import { type Message, type MessageRow, toMessage } from './message.ts'

/** Another process may commit a message with a time that is this much earlier: the next letter reports those again. */
const LATE_COMMIT_MS = 10_000

/** Maximum number of messages of each kind that a letter quotes. */
const MAX_QUOTED = 10

interface ReportedMessages {
  count: number
  /** The oldest ten. */
  quoted: Message[]
}

/** Facts since the last letter that a mail server accepted. */
export interface LetterFacts {
  /** Date in Toronto, YYYY-MM-DD. */
  date: string
  /** The next letter reports from here on, in epoch ms. */
  until: number
  quarantined: ReportedMessages
  givenUp: ReportedMessages
  /** Number of messages that wait to be mailed, those that were given up included, and since when, in epoch ms. */
  waiting: { count: number; since: number }
  mailed: number
  /** Errors by place, the most frequent first. */
  errors: { place: string; count: number }[]
  /** The totals of the days that `errors` covers. */
  errorDays: { day: string; place: string; number: number }[]
}

export async function gatherLetter(db: Database): Promise<LetterFacts> {
  const count = async (sql: string, values: number[] = []): Promise<number> => {
    const [row] = await db.query<{ number: number | null }>(`SELECT ${sql}`, values)
    return Number(row?.number ?? 0)
  }
  const last = await count("queued_at AS number FROM outbox WHERE id = 'letter'")
  const find = async (where: string): Promise<ReportedMessages> => {
    const rows = await db.query<MessageRow & { total: number }>(
      `SELECT messages.*, count(*) OVER () AS total FROM messages JOIN outbox USING (reference)
      WHERE ${where} ORDER BY received_at, reference LIMIT ${MAX_QUOTED}`,
      [last],
    )
    return { count: rows[0]?.total ?? 0, quoted: rows.map(toMessage) }
  }
  const since = "attempts WHERE mail_id = reference AND outcome = 'dead' AND tried_at > $1"
  const waiting = 'FROM outbox WHERE due_at IS NOT NULL AND reference IS NOT NULL'
  return {
    date: toLocalDate(db.now),
    until: db.now - LATE_COMMIT_MS,
    quarantined: await find("status = 'quarantined' AND queued_at > $1"),
    givenUp: await find(`status = 'dead' AND EXISTS (SELECT 1 FROM ${since})`),
    waiting: {
      count: await count(`count(*) AS number ${waiting}`),
      since: await count(`min(queued_at) AS number ${waiting}`),
    },
    mailed: await count(
      "count(*) AS number FROM attempts WHERE outcome = 'mailed' AND tried_at > $1",
      [last],
    ),
    errors: await db.query(
      `SELECT place, CAST(sum(number - reported) AS bigint) AS count FROM errors
      WHERE number > reported GROUP BY place ORDER BY count DESC, place`,
    ),
    errorDays: await db.query('SELECT day, place, number FROM errors WHERE number > reported'),
  }
}
