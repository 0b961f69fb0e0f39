import type { BatchQuery } from '../batches.ts'
import { getReferences, type ReferenceRow, toRow } from '../message-row.ts'
import type { Session } from '../session.ts'
import { lockMessage } from './mail.ts'
import { audit, find } from './messages.ts'

/** Queues a mail as of now. Its number of tries starts from 0 again. */
async function enqueue(session: Session, action: 'release' | 'retry', reference: string) {
  await session.change("UPDATE messages SET status = 'new' WHERE reference = $1", [reference])
  await session.change(
    `UPDATE outbox SET due_at = $1, queued_at = $1, attempts = 0, token = NULL
    WHERE reference = $2`,
    [session.now, reference],
  )
  await audit(session, action, reference)
}

/** The message is genuine: it is mailed, and kept like any other, also after an export and import. */
export async function release(session: Session, reference: string) {
  await lockMessage(session, reference)
  const message = await find(session, reference)
  if (!message) return 'unknown'
  if (message.status !== 'quarantined') return 'not-quarantined'
  const row = toRow({ ...message, trapped: [] }, Date.parse(message.receivedAt))
  await session.change('UPDATE messages SET trapped = $1, content_hash = $2 WHERE reference = $3', [
    row.trapped,
    row.content_hash,
    reference,
  ])
  await enqueue(session, 'release', reference)
  return 'released'
}

/** Makes the mail of a dead or waiting message due at once. */
export async function retry(session: Session, reference: string) {
  await lockMessage(session, reference)
  const [row] = await session.query<{ waits: boolean | number }>(
    `SELECT status = 'dead' OR (status = 'new' AND (token IS NULL OR due_at <= $2)) AS waits
    FROM messages JOIN outbox USING (reference) WHERE reference = $1 FOR UPDATE`,
    [reference, session.now],
  )
  if (!row) return 'unknown'
  if (!row.waits) return 'not-waiting'
  await enqueue(session, 'retry', reference)
  return 'retried'
}

/** Retries dead messages, and those that wait for a later try; skips locked ones. */
export async function retrySome(session: Session, { limit, after = '' }: BatchQuery<string>) {
  const rows = await session.query<ReferenceRow>(
    `SELECT messages.reference FROM messages JOIN outbox USING (reference)
    WHERE (status = 'dead' OR (status = 'new' AND due_at > $3 AND token IS NULL))
      AND (received_at, messages.reference)
        > (COALESCE((SELECT received_at FROM messages WHERE reference = $1), 0), $1)
    ORDER BY received_at, messages.reference
    LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [after, limit, session.now],
  )
  const references = getReferences(rows)
  for (const reference of references) await enqueue(session, 'retry', reference)
  return references
}

export async function archive(session: Session, reference: string) {
  const sql = "UPDATE messages SET status = 'archived' WHERE reference = $1"
  if ((await session.change(sql, [reference])) === 0) return 'unknown'
  await session.change('UPDATE outbox SET due_at = NULL, token = NULL WHERE reference = $1', [
    reference,
  ])
  await audit(session, 'archive', reference)
  return 'archived'
}
