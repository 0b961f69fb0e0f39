import { DIGEST_HOUR, toLocal } from '../clock.ts'
import type { Message } from '../message.ts'
import { type MessageRow, toMessage } from '../message-row.ts'
import type { Session } from '../session.ts'
import { measure } from './waiting.ts'

/** Maximum number of messages of each kind that a letter lists. */
const MAX_LISTED = 100

/** Messages of one kind that wait for a person. */
export interface PendingMessages {
  count: number
  /** At most MAX_LISTED, in the order in which they began to wait. */
  oldest: Message[]
}
type Pending = Record<'dead' | 'quarantined', PendingMessages>

/** Content of a daily letter. `queueDigest` queues its date, `lease` gathers it, and `settle` records whether it was accepted. */
export interface Digest {
  /** Those that no accepted letter has reported. */
  fresh: Pending
  /** Those of earlier letters. Each accepted letter queues dead messages once more; after a failed try they are dead again. */
  reported: Pending
  /** Messages that are not mailed yet, those that MAIL_PER_HOUR delays, and since when the oldest waits, in epoch ms. */
  unsent: { count: number; held: number; oldestAt: number }
  mailPerHour: number
  /** Messages mailed since the last accepted letter. */
  mailed: number
  /** True if the mail server has permanently refused this letter: it then goes without the texts of messages. */
  wasRefused: boolean
}

/** Queues one letter a day. It replaces the letter of an earlier day that no mail server has accepted. */
export async function queueDigest(session: Session): Promise<void> {
  const { now } = session
  const local = toLocal(now)
  if (local.hour < DIGEST_HOUR) return
  const date = local.toPlainDate().toString()
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

/**
 * Of each message, `since` is when it began to wait for a person: when it was given up or, for a quarantined one,
 * `queued_at`. Later tries of a dead message make it no newer: requeueDead keeps `queued_at`. An operator's release or
 * retry, or a repair of the clock, sets it anew.
 */
const PENDING = `(
  SELECT messages.*, COALESCE((
    SELECT min(tried_at) FROM attempts
    WHERE mail_id = messages.reference AND outcome = 'dead' AND tried_at >= queued_at
  ), queued_at) AS since
  FROM messages JOIN outbox ON outbox.reference = messages.reference
  WHERE status IN ('quarantined', 'dead')
) AS pending`

/** `comparison` is the SQL operator between `since` and `time`. */
async function findPending(
  session: Session,
  comparison: '>' | '<=',
  time: number,
): Promise<Pending> {
  const find = async (status: keyof Pending) => {
    const where = `FROM ${PENDING} WHERE since ${comparison} $1 AND status = $2`
    const values = [time, status]
    const [row] = await session.query<{ count: number }>(
      `SELECT count(*) AS count ${where}`,
      values,
    )
    const oldest = await session.query<MessageRow>(
      `SELECT * ${where} ORDER BY since, reference LIMIT ${MAX_LISTED}`,
      values,
    )
    return { count: row?.count ?? 0, oldest: oldest.map(toMessage) }
  }
  return { dead: await find('dead'), quarantined: await find('quarantined') }
}

async function countMailed(session: Session, from: number): Promise<number> {
  const [row] = await session.query<{ count: number }>(
    `SELECT count(*) AS count FROM attempts JOIN outbox ON outbox.id = mail_id
    WHERE outcome = 'mailed' AND reference IS NOT NULL AND tried_at > $1`,
    [from],
  )
  return row?.count ?? 0
}

/** A message that another process stores just now may have an earlier time, so the next letter reports those of this time again. */
const LATE_COMMIT_MS = 10_000

/** Reads the content of a letter, and stores until when it reports all messages, which counts once it is accepted. */
export async function gatherDigest(session: Session, date: string): Promise<Digest> {
  const { now, mailPerHour } = session
  await session.change('UPDATE outbox SET reported_until = $1 WHERE id = $2', [
    now - LATE_COMMIT_MS,
    date,
  ])
  const [accepted] = await session.query<{ until: number | null }>(
    `SELECT max(reported_until) AS until FROM outbox WHERE reference IS NULL
      AND EXISTS (SELECT 1 FROM attempts WHERE mail_id = outbox.id AND outcome = 'mailed')`,
  )
  const reportedUntil = accepted?.until ?? 0
  const lastGatheredAt = reportedUntil + LATE_COMMIT_MS
  const refusals = await session.query(
    "SELECT 1 FROM attempts WHERE mail_id = $1 AND outcome = 'refused' LIMIT 1",
    [date],
  )
  const { queued, held } = await measure(session)
  return {
    fresh: await findPending(session, '>', reportedUntil),
    reported: await findPending(session, '<=', reportedUntil),
    unsent: { count: queued.count, held: held.count, oldestAt: now - queued.waitedMs },
    mailPerHour,
    mailed: await countMailed(session, lastGatheredAt),
    wasRefused: refusals.length > 0,
  }
}

/** An accepted letter proves that mail works, so dead messages are tried again. Their counts of tries stay. */
export async function requeueDead(session: Session): Promise<void> {
  await session.change(
    `UPDATE messages SET status = 'new' WHERE reference IN (
      SELECT reference FROM messages WHERE status = 'dead' FOR UPDATE SKIP LOCKED
    )`,
  )
  await session.change(
    `UPDATE outbox SET due_at = $1 WHERE due_at IS NULL
      AND reference IN (SELECT reference FROM messages WHERE status = 'new')`,
    [session.now],
  )
}
