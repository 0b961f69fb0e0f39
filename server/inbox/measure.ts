import { toLocalDate } from './clock.ts'
import { MESSAGE_STATUSES, type MessageStatus } from './message.ts'
import type { Store } from './store.ts'

/** Counts errors that visitors' browsers have reported: one row a day. */
export async function countClientErrors(store: Store, number: number): Promise<void> {
  await store.transaction((db) =>
    db.change(
      `INSERT INTO client_errors (day, number, reported) VALUES ($1, $2, 0)
      ON CONFLICT (day) DO UPDATE SET number = client_errors.number + excluded.number`,
      [toLocalDate(db.now), number],
    ),
  )
}

/** Number of errors that visitors' browsers have reported, by day (YYYY-MM-DD), the oldest first. */
export function listClientErrors(store: Store) {
  return store.transaction(
    (db) =>
      db.query<{ day: string; number: number }>(
        'SELECT day, number FROM client_errors ORDER BY day',
      ),
    { readOnly: true },
  )
}

export function countByStatus(store: Store): Promise<Record<MessageStatus, number>> {
  return store.transaction(
    async (db) => {
      const rows = await db.query<{ status: MessageStatus; number: number }>(
        'SELECT status, count(*) AS number FROM messages GROUP BY status',
      )
      const counts = MESSAGE_STATUSES.map(
        (status) => [status, rows.find((row) => row.status === status)?.number ?? 0] as const,
      )
      return Object.fromEntries(counts) as Record<MessageStatus, number>
    },
    { readOnly: true },
  )
}

/** For the metrics: how many messages wait, by status, the age of the oldest, and the time of the last letter. */
export function measure(store: Store) {
  return store.transaction(
    async (db) => {
      const rows = await db.query<{ status: string; count: number; oldest: number }>(
        `SELECT status, count(*) AS count, min(received_at) AS oldest FROM messages
        WHERE status IN ('new', 'dead', 'quarantined') GROUP BY status`,
      )
      const [letter] = await db.query<{ queued_at: number }>(
        "SELECT queued_at FROM outbox WHERE id = 'letter'",
      )
      const queues = ['new', 'dead', 'quarantined'].map((status) => {
        const { count = 0, oldest = db.now } = rows.find((row) => row.status === status) ?? {}
        return { status, count, oldestAgeMs: Math.max(0, db.now - oldest) }
      })
      /** `lastLetterAt` is in epoch ms; undefined before the first letter. */
      return { queues, lastLetterAt: letter?.queued_at }
    },
    { readOnly: true, timeoutMs: 1500 },
  )
}
