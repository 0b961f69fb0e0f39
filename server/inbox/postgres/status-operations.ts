import type { MessageStatus } from '../inbox.ts'
import type { PostgresOperations } from './operations.ts'
import type { Session } from './session.ts'

interface Found {
  status: MessageStatus
  due_at: number | null
  token: string | null
}

/** Locks the message first, so that it stays as it was found. */
async function find(session: Session, reference: string): Promise<Found | undefined> {
  await session.query('SELECT 1 FROM messages WHERE reference = $1 FOR UPDATE', [reference])
  const [row] = await session.query<Found>(
    `SELECT status, due_at, token FROM messages JOIN outbox USING (reference)
    WHERE reference = $1 FOR UPDATE`,
    [reference],
  )
  return row
}

async function enqueue(session: Session, references: string[], now: number): Promise<void> {
  await session.change("UPDATE messages SET status = 'new' WHERE reference = ANY ($1)", [
    references,
  ])
  await session.change(
    `UPDATE outbox SET due_at = $1, queued_at = $1, attempts = 0, token = NULL
    WHERE reference = ANY ($2)`,
    [now, references],
  )
}

/** What a person decides about a message. */
export const STATUS_OPERATIONS: PostgresOperations<
  'release' | 'retry' | 'retrySome' | 'archive' | 'markRead'
> = {
  async release(session, reference, now) {
    const found = await find(session, reference)
    if (!found) return 'unknown'
    if (found.status !== 'quarantined') return 'not-quarantined'
    await enqueue(session, [reference], now)
    return 'released'
  },

  async retry(session, reference, now) {
    const found = await find(session, reference)
    if (!found) return 'unknown'
    const waits = found.status === 'new' && (found.token === null || Number(found.due_at) <= now)
    if (found.status !== 'dead' && !waits) return 'not-waiting'
    await enqueue(session, [reference], now)
    return 'retried'
  },

  async retrySome(session, limit, now) {
    const rows = await session.query<{ reference: string }>(
      `SELECT reference FROM messages JOIN outbox USING (reference)
      WHERE status = 'dead' OR (due_at > $1 AND token IS NULL)
      LIMIT $2 FOR UPDATE OF messages SKIP LOCKED`,
      [now, limit],
    )
    await enqueue(
      session,
      rows.map(({ reference }) => reference),
      now,
    )
    return rows.length
  },

  async archive(session, reference, now) {
    if (!(await find(session, reference))) return 'unknown'
    await session.change(
      `UPDATE messages SET status = 'archived', read_at = coalesce(read_at, $1)
      WHERE reference = $2`,
      [now, reference],
    )
    await session.change('UPDATE outbox SET due_at = NULL, token = NULL WHERE reference = $1', [
      reference,
    ])
    return 'archived'
  },

  async markRead(session, reference, now) {
    await session.change(
      'UPDATE messages SET read_at = coalesce(read_at, $1) WHERE reference = $2',
      [now, reference],
    )
  },
}
