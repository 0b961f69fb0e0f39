import { toLocalDate } from './clock.ts'
import { MESSAGE_STATUSES } from './message.ts'
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

export function measure(store: Store) {
  return store.transaction(
    async (db) => {
      const rows = await db.query<{ status: string; count: number; oldest: number }>(
        'SELECT status, count(*) AS count, min(received_at) AS oldest FROM messages GROUP BY status',
      )
      const [letter] = await db.query<{ time: number }>(
        "SELECT queued_at AS time FROM outbox WHERE id = 'letter'",
      )
      const clientErrors = await db.query<{ day: string; number: number }>(
        'SELECT day, number FROM client_errors ORDER BY day',
      )
      const messages = MESSAGE_STATUSES.map((status) => {
        const { count = 0, oldest = db.now } = rows.find((row) => row.status === status) ?? {}
        return { status, count, oldestAgeMs: Math.max(0, db.now - oldest) }
      })
      /** `lastLetterAt` is in epoch ms. */
      return { messages, clientErrors, lastLetterAt: letter?.time || undefined }
    },
    { readOnly: true },
  )
}
