import { toLocal } from '../clock.ts'
import type { Message } from '../message.ts'
import { type MessageRow, toMessage } from '../message-row.ts'
import type { Session } from '../session.ts'
import { type Waiting, waiting } from './waiting.ts'

/** The daily letter is due at this hour, in Toronto. */
const DIGEST_HOUR = 8

const MAX_LISTED = 10

/** Messages of one status, which wait for a person. */
export interface Pending {
  /** At most ten, the newest first. New: no accepted letter has counted it. */
  messages: (Message & { isNew: boolean })[]
  count: number
  newCount: number
}

/** Content of a daily letter. */
export interface Digest extends Waiting {
  quarantined: Pending
  dead: Pending
  /** True if the mail server has permanently refused this letter: it then goes without the texts of messages. */
  wasRefused: boolean
}

/** Date (YYYY-MM-DD) of the daily letter that is due at `time`; undefined before DIGEST_HOUR. */
function findDigestDate(time: number): string | undefined {
  const local = toLocal(time)
  return local.hour < DIGEST_HOUR ? undefined : local.toPlainDate().toString()
}

/** Queues one letter a day. It replaces the letter of an earlier day that no mail server has accepted. */
export async function queueDigest(session: Session): Promise<void> {
  const { now } = session
  const date = findDigestDate(now)
  if (date === undefined) return
  const queued = await session.change(
    `INSERT INTO outbox (id, due_at, queued_at, attempts) VALUES ($1, $2, $2, 0)
    ON CONFLICT (id) DO NOTHING`,
    [date, now],
  )
  if (queued === 0) return
  await session.change(
    'DELETE FROM outbox WHERE reference IS NULL AND due_at IS NOT NULL AND id <> $1',
    [date],
  )
}

/** When a message began to wait for a person. Later tries of a dead message make it no newer. */
const PENDING_SINCE = {
  quarantined: 'received_at',
  dead: `COALESCE((
    SELECT min(tried_at) FROM attempts JOIN outbox ON outbox.id = mail_id
    WHERE mail_id = messages.reference AND outcome = 'dead' AND tried_at >= queued_at
  ), received_at)`,
}

async function findPending(
  session: Session,
  status: keyof typeof PENDING_SINCE,
  lastLetterAt: number,
): Promise<Pending> {
  const time = PENDING_SINCE[status]
  const rows = await session.query<MessageRow & { is_new: boolean | number }>(
    `SELECT *, ${time} > $2 AS is_new FROM messages WHERE status = $1
    ORDER BY ${time} DESC, reference DESC LIMIT ${MAX_LISTED}`,
    [status, lastLetterAt],
  )
  const messages = rows.map((row) => ({ ...toMessage(row), isNew: Boolean(row.is_new) }))
  const [counts] = await session.query<{ all: number; new: number }>(
    `SELECT count(*) AS "all", count(CASE WHEN ${time} > $2 THEN 1 END) AS "new"
    FROM messages WHERE status = $1`,
    [status, lastLetterAt],
  )
  return { messages, count: counts?.all ?? 0, newCount: counts?.new ?? 0 }
}

/** Reads the content of a letter, and stores the time. Messages that came after the time of the last accepted letter are new. */
export async function gatherDigest(session: Session, date: string): Promise<Digest> {
  await session.change('UPDATE outbox SET queued_at = $1 WHERE id = $2', [session.now, date])
  // An accepted letter has no due time; that of this letter is the end of its lease.
  const [last] = await session.query<{ time: number | null }>(
    'SELECT max(queued_at) AS time FROM outbox WHERE reference IS NULL AND due_at IS NULL',
  )
  const lastLetterAt = last?.time ?? 0
  const sql = "SELECT 1 FROM attempts WHERE mail_id = $1 AND outcome = 'refused' LIMIT 1"
  const refusals = await session.query(sql, [date])
  return {
    ...(await waiting(session)),
    quarantined: await findPending(session, 'quarantined', lastLetterAt),
    dead: await findPending(session, 'dead', lastLetterAt),
    wasRefused: refusals.length > 0,
  }
}

/** An accepted letter proves that mail works, so dead messages are tried again. Their counts of tries stay. */
export async function requeueDead(session: Session): Promise<void> {
  await session.change(
    `UPDATE messages SET status = 'new' WHERE reference IN (
      SELECT reference FROM messages WHERE status = 'dead' FOR UPDATE SKIP LOCKED
    )`,
    [],
  )
  await session.change(
    `UPDATE outbox SET due_at = $1 WHERE due_at IS NULL
      AND reference IN (SELECT reference FROM messages WHERE status = 'new')`,
    [session.now],
  )
}
