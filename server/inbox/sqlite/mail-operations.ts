import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
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
import type { Operations } from '../operations.ts'

type MailOperations = Pick<Operations, 'claim' | 'settle' | 'findLastAttempt' | 'nextDueIn'>

/** Tells how much of the mail of an hour has been used. */
export function createGetQuota(database: DatabaseSync): (now: number) => MailQuota {
  const findSent = database.prepare(`
    SELECT count(*) AS number, min(tried_at) AS since FROM attempts
    WHERE outcome = 'mailed' AND tried_at > ? AND tried_at <= ?`)
  const findLeased = database.prepare(`
    SELECT count(*) AS number, min(due_at) AS until FROM outbox
    WHERE token IS NOT NULL AND due_at > ?`)

  return (now) => {
    const sent = findSent.get(now - HOUR, now + CLOCK_TOLERANCE_MS)
    const leased = findLeased.get(now)
    const ends = [
      ...(sent?.number ? [Number(sent.since) + HOUR] : []),
      ...(leased?.number ? [Number(leased.until)] : []),
    ]
    return {
      used: Number(sent?.number) + Number(leased?.number),
      freeAt: ends.length > 0 ? Math.min(...ends) : null,
    }
  }
}

/** The queue of mails: a row is leased by moving its due time to the end of the lease. */
export function createMailOperations(database: DatabaseSync): MailOperations {
  const getQuota = createGetQuota(database)
  // Repairs rows written by a clock that was ahead and has been corrected since: the mail is due now, and its lease
  // lasts no longer than one that is taken now.
  const mendFuture = database.prepare(`
    UPDATE outbox SET queued_at = min(queued_at, :now),
      due_at = CASE WHEN token IS NULL THEN :now ELSE min(due_at, :until) END
    WHERE (due_at IS NOT NULL AND queued_at > :now)
      OR (token IS NOT NULL AND due_at > :until) OR due_at > :longest`)
  const leaseDue = database.prepare(`
    UPDATE outbox SET due_at = :until, token = :token
    WHERE reference IN (SELECT reference FROM outbox WHERE due_at <= :now ORDER BY due_at LIMIT :limit)`)
  const findLeased = database.prepare(`
    SELECT messages.*, queued_at, attempts FROM outbox JOIN messages USING (reference)
    WHERE due_at = :until AND token = :token ORDER BY queued_at, reference`)
  const settleOutbox = database.prepare(`
    UPDATE outbox SET due_at = :due, token = NULL, attempts = attempts + 1
    WHERE reference = :reference AND token = :token`)
  const setStatus = database.prepare('UPDATE messages SET status = ? WHERE reference = ?')
  const insertAttempt = database.prepare(
    'INSERT INTO attempts (reference, tried_at, outcome, detail) VALUES (?, ?, ?, ?)',
  )
  const findLastAttempt = database.prepare(`
    SELECT tried_at, outcome, detail FROM attempts WHERE reference = ? ORDER BY id DESC LIMIT 1`)
  const findNextDue = database.prepare(
    'SELECT min(due_at) AS due FROM outbox WHERE due_at IS NOT NULL',
  )

  return {
    claim({ limit, leaseMs, mailPerHour }, now) {
      const token = randomUUID()
      const until = now + leaseMs
      mendFuture.run({ now, until, longest: now + RETRY_SCHEDULE.longest + CLOCK_TOLERANCE_MS })
      const allowance = getAllowance(getQuota(now), mailPerHour)
      leaseDue.run({ limit: Math.min(limit, allowance), now, until, token })
      return findLeased.all({ until, token }).map((row) => ({
        message: toMessage(row as unknown as MessageRecord),
        attempts: Number(row.attempts),
        waitedMs: now - Number(row.queued_at),
        token,
      }))
    },

    settle(reference, token, outcome, now) {
      const due = outcome.kind === 'later' ? now + outcome.afterMs : null
      if (settleOutbox.run({ due, reference, token }).changes === 0) return false
      insertAttempt.run(reference, now, outcome.kind, getDetail(outcome))
      if (outcome.kind !== 'later') setStatus.run(outcome.kind, reference)
      return true
    },

    findLastAttempt(reference) {
      const row = findLastAttempt.get(reference)
      return row && toAttempt(row as unknown as AttemptRow)
    },

    nextDueIn(mailPerHour, now) {
      const { due = null } = findNextDue.get() ?? {}
      if (due === null) return undefined
      return getTimeToMail(getQuota(now), { mailPerHour, dueAt: Number(due), now })
    },
  }
}
