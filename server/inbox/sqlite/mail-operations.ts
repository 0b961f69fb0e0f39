import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Operations } from '../operations.ts'
import { type AttemptRow, getDetail, type MessageRecord, toAttempt, toMessage } from '../record.ts'

type MailOperations = Pick<Operations, 'claim' | 'settle' | 'findLastAttempt' | 'nextDue'>

/** The queue of mails: a row is leased by moving its due time to the end of the lease. */
export function createMailOperations(database: DatabaseSync): MailOperations {
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
    claim(limit, leaseMs, now) {
      const token = randomUUID()
      const until = now + leaseMs
      leaseDue.run({ limit, now, until, token })
      return findLeased.all({ until, token }).map((row) => ({
        message: toMessage(row as unknown as MessageRecord),
        attempts: Number(row.attempts),
        queuedAt: Number(row.queued_at),
        token,
      }))
    },

    settle(reference, token, outcome, now) {
      const due = outcome.kind === 'later' ? outcome.at : null
      if (settleOutbox.run({ due, reference, token }).changes === 0) return false
      insertAttempt.run(reference, now, outcome.kind, getDetail(outcome))
      if (outcome.kind !== 'later') setStatus.run(outcome.kind, reference)
      return true
    },

    findLastAttempt(reference) {
      const row = findLastAttempt.get(reference)
      return row && toAttempt(row as unknown as AttemptRow)
    },

    nextDue() {
      return (findNextDue.get()?.due as number | null) ?? undefined
    },
  }
}
