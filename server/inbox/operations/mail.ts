import { randomUUID } from 'node:crypto'
import { CLOCK_TOLERANCE_MS, MAX_RETRY_DELAY_MS } from '../clock.ts'
import type { Message } from '../message.ts'
import { type MessageRow, toIso, toMessage, toStorable } from '../message-row.ts'
import type { Session } from '../session.ts'
import { getQuota } from './mail-quota.ts'

export interface Mail {
  message: Message
  /** Number of earlier tries, without those that failed because our settings were wrong. */
  attempts: number
  /** Fencing token: `settle` accepts only the token of the newest lease. */
  token: string
}

export type MailOutcome =
  | { kind: 'mailed'; response: string }
  | { kind: 'later'; afterMs: number; error: string; isMisconfigured?: boolean }
  | { kind: 'dead'; error: string }

export interface Attempt {
  /** ISO 8601, UTC. */
  triedAt: string
  outcome: MailOutcome['kind']
  /** The mail server's response, or the error. Both may quote the visitor's message. */
  detail: string
}

/** Repairs rows that were written while a clock was ahead. */
async function repairFutureTimes(session: Session, leaseEnd: number): Promise<void> {
  const { now, dialect } = session
  await session.change(
    `WITH future AS (
      SELECT reference FROM outbox
      WHERE (due_at IS NOT NULL AND queued_at > $1)
        OR (token IS NOT NULL AND due_at > $2) OR due_at > $3
      ${dialect.forUpdateSkipLocked}
    )
    UPDATE outbox SET queued_at = CASE WHEN queued_at > $1 THEN $1 ELSE queued_at END,
      due_at = CASE WHEN token IS NULL THEN $1 WHEN due_at > $2 THEN $2 ELSE due_at END
    WHERE reference IN (SELECT reference FROM future)`,
    [now, leaseEnd, now + MAX_RETRY_DELAY_MS + CLOCK_TOLERANCE_MS],
  )
}

/** The due time becomes the end of the lease, so no other call leases the mail earlier. */
export async function lease(
  session: Session,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<Mail[]> {
  const { now, dialect } = session
  const leaseEnd = now + leaseMs
  // Without this lock, two processes that count at the same time could exceed MAIL_PER_HOUR.
  await session.lock('mail quota')
  await repairFutureTimes(session, leaseEnd)
  const { allowance } = await getQuota(session)
  const token = randomUUID()
  const leased = await session.change(
    `WITH due AS (
      SELECT reference FROM outbox WHERE due_at <= $1
      ORDER BY due_at, (SELECT received_at FROM messages WHERE reference = outbox.reference)
      LIMIT $2 ${dialect.forUpdateSkipLocked}
    )
    UPDATE outbox SET due_at = $3, token = $4 WHERE reference IN (SELECT reference FROM due)`,
    [now, Math.min(limit, allowance), leaseEnd, token],
  )
  if (leased === 0) return []
  const rows = await session.query<MessageRow & { attempts: number }>(
    `SELECT messages.*, attempts FROM outbox JOIN messages USING (reference)
    WHERE due_at = $1 AND token = $2 ORDER BY received_at, reference`,
    [leaseEnd, token],
  )
  return rows.map((row) => ({
    message: toMessage(row),
    attempts: row.attempts,
    token,
  }))
}

/** Operations lock a message before its outbox row: this order prevents deadlocks. */
export async function lockMessage(session: Session, reference: string): Promise<void> {
  const sql = `SELECT 1 FROM messages WHERE reference = $1 ${session.dialect.forUpdate}`
  await session.query(sql, [reference])
}

/** Records the outcome of a mail as an attempt. Returns false, and records nothing, if the lease was lost. */
export async function settle(
  session: Session,
  { message: { reference }, token }: Pick<Mail, 'message' | 'token'>,
  outcome: MailOutcome,
): Promise<boolean> {
  const { now } = session
  const { kind } = outcome
  const due = kind === 'later' ? now + outcome.afterMs : null
  const counted = kind === 'later' && outcome.isMisconfigured ? 0 : 1
  const detail = toStorable(kind === 'mailed' ? outcome.response : outcome.error)
  await lockMessage(session, reference)
  const settled = await session.change(
    `UPDATE outbox SET due_at = $1, token = NULL, attempts = attempts + $4
    WHERE reference = $2 AND token = $3`,
    [due, reference, token, counted],
  )
  if (settled === 0) return false
  await session.change(
    'INSERT INTO attempts (reference, tried_at, outcome, detail) VALUES ($1, $2, $3, $4)',
    [reference, now, kind, detail],
  )
  if (kind !== 'later') {
    await session.change('UPDATE messages SET status = $1 WHERE reference = $2', [kind, reference])
  }
  return true
}

export async function findLastAttempt(
  session: Session,
  reference: string,
): Promise<Attempt | undefined> {
  const [row] = await session.query<Omit<Attempt, 'triedAt'> & { tried_at: number }>(
    `SELECT tried_at, outcome, detail FROM attempts WHERE reference = $1
    ORDER BY id DESC LIMIT 1`,
    [reference],
  )
  if (!row) return undefined
  const { tried_at, outcome, detail } = row
  return { triedAt: toIso(tried_at), outcome, detail }
}
