import { randomUUID } from 'node:crypto'
import { type AttemptRow, getDetail, type MessageRecord, toAttempt, toMessage } from '../record.ts'
import type { PostgresOperations } from './operations.ts'

interface LeasedRow extends MessageRecord {
  queued_at: number
  attempts: number
}

/** The queue of mails: a row is leased by moving its due time to the end of the lease. */
export const MAIL_OPERATIONS: PostgresOperations<
  'claim' | 'settle' | 'findLastAttempt' | 'nextDue'
> = {
  async claim(session, limit, leaseMs, now) {
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
      [now, limit, now + leaseMs, token],
    )
    return rows.map((row) => ({
      message: toMessage(row),
      attempts: row.attempts,
      queuedAt: row.queued_at,
      token,
    }))
  },

  async settle(session, reference, token, outcome, now) {
    const due = outcome.kind === 'later' ? outcome.at : null
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

  async nextDue(session) {
    const sql = 'SELECT min(due_at) AS due FROM outbox WHERE due_at IS NOT NULL'
    const [row] = await session.query<{ due: number | null }>(sql)
    return row?.due ?? undefined
  },
}
