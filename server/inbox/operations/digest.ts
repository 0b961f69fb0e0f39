import { DIGEST_HOUR, toDigestTime, toLocal } from '../clock.ts'
import type { Message } from '../message.ts'
import { type MessageRow, toMessage } from '../message-row.ts'
import type { Session } from '../session.ts'
import { measure } from './waiting.ts'

/** Maximum number of messages with their texts in a letter, not counting others of the same millisecond. */
const MAX_FRESH = 10

/** Content of a daily letter. Quarantined and dead messages are in the order in which they began to wait for a person. */
export interface Digest {
  /** The oldest messages that no accepted letter has shown, and the numbers of the others. */
  fresh: Message[]
  unshown: Record<'quarantined' | 'dead', number>
  /** Messages that an accepted letter has shown. */
  reported: Message[]
  /** Messages that are not mailed yet, those that MAIL_PER_HOUR delays, and when the oldest arrived, in epoch ms. */
  unsent: { count: number; held: number; since: number }
  mailPerHour: number
  /** Mails of messages since the hour of the last accepted letter, whose date is `since`. */
  mailed: { count: number; since?: string }
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

/**
 * Of each message, `since` is when it began to wait for a person. Later tries of a dead message make it no newer:
 * requeueDead keeps `queued_at`, which only an operator's release or retry sets anew.
 */
const PENDING = `(
  SELECT messages.*, CASE status WHEN 'quarantined' THEN received_at ELSE COALESCE((
    SELECT min(tried_at) FROM attempts JOIN outbox ON outbox.id = mail_id
    WHERE mail_id = messages.reference AND outcome = 'dead' AND tried_at >= queued_at
  ), received_at) END AS since
  FROM messages WHERE status IN ('quarantined', 'dead')
) AS pending`

async function countMailed(session: Session, from: number, until: number): Promise<number> {
  const [row] = await session.query<{ count: number }>(
    `SELECT count(*) AS count FROM attempts JOIN outbox ON outbox.id = mail_id
    WHERE outcome = 'mailed' AND reference IS NOT NULL AND tried_at > $1 AND tried_at <= $2`,
    [from, until],
  )
  return row?.count ?? 0
}

/** A message that another process stores just now may have an earlier time, so the next letter shows those of this time again. */
const LATE_COMMIT_MS = 10_000

/** Reads the content of a letter, and stores until when it shows all messages, which counts once the letter is accepted. */
export async function gatherDigest(session: Session, date: string): Promise<Digest> {
  const { now, mailPerHour } = session
  const [accepted] = await session.query<{ date: string | null; shown_until: number | null }>(
    `SELECT max(id) AS date, max(shown_until) AS shown_until FROM outbox
    WHERE reference IS NULL
      AND EXISTS (SELECT 1 FROM attempts WHERE mail_id = outbox.id AND outcome = 'mailed')`,
  )
  const lastDate = accepted?.date ?? undefined
  const shownUntil = accepted?.shown_until ?? 0
  const fresh = await session.query<MessageRow & { since: number }>(
    `SELECT * FROM ${PENDING} WHERE since > $1 AND since <= (
      SELECT max(since) FROM (
        SELECT since FROM ${PENDING} WHERE since > $1 ORDER BY since LIMIT ${MAX_FRESH}
      ) AS oldest
    ) ORDER BY since, reference`,
    [shownUntil],
  )
  const reported = await session.query<MessageRow>(
    `SELECT * FROM ${PENDING} WHERE since <= $1 ORDER BY since, reference`,
    [shownUntil],
  )
  const newest = fresh.at(-1)?.since ?? shownUntil
  const others = await session.query<{ status: 'quarantined' | 'dead'; count: number }>(
    `SELECT status, count(*) AS count FROM ${PENDING} WHERE since > $1 GROUP BY status`,
    [newest],
  )
  const counts = Object.fromEntries(others.map(({ status, count }) => [status, count]))
  await session.change('UPDATE outbox SET shown_until = $1 WHERE id = $2', [
    others.length > 0 ? newest : now - LATE_COMMIT_MS,
    date,
  ])
  const refusals = await session.query(
    "SELECT 1 FROM attempts WHERE mail_id = $1 AND outcome = 'refused' LIMIT 1",
    [date],
  )
  const { queued, held } = await measure(session)
  return {
    fresh: fresh.map(toMessage),
    unshown: { quarantined: 0, dead: 0, ...counts },
    reported: reported.map(toMessage),
    unsent: { count: queued.count, held: held.count, since: now - queued.waitedMs },
    mailPerHour,
    mailed: {
      count: await countMailed(session, lastDate ? toDigestTime(lastDate) : 0, toDigestTime(date)),
      since: lastDate,
    },
    wasRefused: refusals.length > 0,
  }
}
