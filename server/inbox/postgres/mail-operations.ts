import { randomUUID } from 'node:crypto'
import { RETRY_SCHEDULE } from '../../mail/retry-schedule.ts'
import { getAllowance, getTimeToMail, type MailQuota } from '../mail-quota.ts'
import {
  type AttemptRow,
  CLOCK_TOLERANCE_MS,
  getDetail,
  HOUR,
  type MessageRecord,
  toAttempt,
  toMessage,
} from '../message-row.ts'
import type { PostgresOperations } from './operations.ts'
import type { Session } from './session.ts'

interface LeasedRow extends MessageRecord {
  queued_at: number
  attempts: number
}

/** One statement, so that a mail that is being settled is counted once. */
export async function getQuota(session: Session, now: number): Promise<MailQuota> {
  const [row] = await session.query<{ used: number; free_at: number | null }>(
    `SELECT sent.number + leased.number AS used, least(sent.since + ${HOUR}, leased.until) AS free_at
    FROM (
      SELECT count(*) AS number, min(tried_at) AS since FROM attempts
      WHERE outcome = 'mailed' AND tried_at > $1 AND tried_at <= $2
    ) AS sent, (
      SELECT count(*) AS number, min(due_at) AS until FROM outbox
      WHERE token IS NOT NULL AND due_at > $3
    ) AS leased`,
    [now - HOUR, now + CLOCK_TOLERANCE_MS, now],
  )
  return { used: row?.used ?? 0, freeAt: row?.free_at ?? null }
}

/**
 * Repairs rows written by a clock that was ahead and has been corrected since: the mail is due now, and its lease
 * lasts no longer than one that is taken now.
 */
async function mendFuture(session: Session, leaseMs: number, now: number): Promise<void> {
  await session.change(
    `UPDATE outbox SET queued_at = least(queued_at, $1),
      due_at = CASE WHEN token IS NULL THEN $1::bigint ELSE least(due_at, $2) END
    WHERE reference IN (
      SELECT reference FROM outbox
      WHERE (due_at IS NOT NULL AND queued_at > $1)
        OR (token IS NOT NULL AND due_at > $2) OR due_at > $3
      FOR UPDATE SKIP LOCKED
    )`,
    [now, now + leaseMs, now + RETRY_SCHEDULE.longest + CLOCK_TOLERANCE_MS],
  )
}

/** The queue of mails: a row is leased by moving its due time to the end of the lease. */
export const MAIL_OPERATIONS: PostgresOperations<
  'claim' | 'settle' | 'findLastAttempt' | 'nextDueIn'
> = {
  async claim(session, { limit, leaseMs, mailPerHour }, now) {
    // Lock: two processes counting at once would exceed the limit.
    await session.lock('mail quota')
    await mendFuture(session, leaseMs, now)
    const allowance = getAllowance(await getQuota(session, now), mailPerHour)
    const token = randomUUID()
    const rows = await session.query<LeasedRow>(
      `WITH due AS (
        SELECT reference FROM outbox WHERE due_at <= $1
        ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
      ), leased AS (
        UPDATE outbox SET due_at = $3, token = $4 FROM due
        WHERE outbox.reference = due.reference
        RETURNING outbox.reference, queued_at, attempts
      )
      SELECT messages.*, queued_at, attempts FROM leased JOIN messages USING (reference)
      ORDER BY queued_at, reference`,
      [now, Math.min(limit, allowance), now + leaseMs, token],
    )
    return rows.map((row) => ({
      message: toMessage(row),
      attempts: row.attempts,
      waitedMs: now - row.queued_at,
      token,
    }))
  },

  async settle(session, reference, token, outcome, now) {
    const due = outcome.kind === 'later' ? now + outcome.afterMs : null
    // Everything locks a message before its outbox row, so that nothing waits in a circle.
    await session.query('SELECT 1 FROM messages WHERE reference = $1 FOR UPDATE', [reference])
    const settled = await session.change(
      `UPDATE outbox SET due_at = $1, token = NULL, attempts = attempts + 1
      WHERE reference = $2 AND token = $3`,
      [due, reference, token],
    )
    if (settled === 0) return false
    await session.change(
      'INSERT INTO attempts (reference, tried_at, outcome, detail) VALUES ($1, $2, $3, $4)',
      [reference, now, outcome.kind, getDetail(outcome)],
    )
    if (outcome.kind !== 'later') {
      const values = [outcome.kind, reference]
      await session.change('UPDATE messages SET status = $1 WHERE reference = $2', values)
    }
    return true
  },

  async findLastAttempt(session, reference) {
    const [row] = await session.query<AttemptRow>(
      `SELECT tried_at, outcome, detail FROM attempts WHERE reference = $1
      ORDER BY id DESC LIMIT 1`,
      [reference],
    )
    return row && toAttempt(row)
  },

  async nextDueIn(session, mailPerHour, now) {
    const dueAt = await findNextDue(session)
    if (dueAt === undefined) return undefined
    return getTimeToMail(await getQuota(session, now), { mailPerHour, dueAt, now })
  },
}

/** Epoch ms; undefined when no mail waits. */
export async function findNextDue(session: Session): Promise<number | undefined> {
  const sql = 'SELECT min(due_at) AS due FROM outbox WHERE due_at IS NOT NULL'
  const [row] = await session.query<{ due: number | null }>(sql)
  return row?.due ?? undefined
}
