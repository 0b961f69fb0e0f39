import { findDigestDate } from '../clock.ts'
import type { ReferenceRow } from '../message-row.ts'
import type { Session } from '../session.ts'
import { type Waiting, waiting } from './overview.ts'

/** As many as one transaction changes in time; the letter of the next day queues others. */
const MAX_REQUEUED = 500

/** Content of a daily letter. */
export interface Digest extends Waiting {
  /** True if the mail server has refused this letter for good: it then goes without the texts of messages. */
  wasRefused: boolean
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

export async function readDigest(session: Session, date: string): Promise<Digest> {
  const sql = "SELECT 1 FROM attempts WHERE mail_id = $1 AND outcome = 'refused' LIMIT 1"
  const refusals = await session.query(sql, [date])
  return { ...(await waiting(session)), wasRefused: refusals.length > 0 }
}

/** An accepted letter proves that mail works. Dead messages keep their tries, so each gets one more. */
export async function requeueDead(session: Session): Promise<void> {
  const { now, dialect } = session
  const rows = await session.query<ReferenceRow>(
    `WITH dead AS (
      SELECT reference FROM messages WHERE status = 'dead'
      ORDER BY received_at LIMIT ${MAX_REQUEUED} ${dialect.forUpdateSkipLocked}
    )
    UPDATE messages SET status = 'new' WHERE reference IN (SELECT reference FROM dead)
    RETURNING reference`,
  )
  const sql = 'UPDATE outbox SET due_at = $1 WHERE reference = $2'
  for (const { reference } of rows) await session.change(sql, [now, reference])
}
