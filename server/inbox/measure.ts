import { toLocalDate } from './clock.ts'
import { MESSAGE_STATUSES } from './message.ts'
import type { Store } from './store.ts'

/** The place of the errors that scripts had in visitors' browsers. */
export const BROWSERS = 'browsers'

/** Counts errors: one row for each day and place, which is `BROWSERS`, or a page or route that was answered with 500. */
export async function countErrors(store: Store, place: string, number: number): Promise<void> {
  await store.transaction((db) =>
    db.change(
      `INSERT INTO errors (day, place, number, reported) VALUES ($1, $2, $3, 0)
      ON CONFLICT (day, place) DO UPDATE SET number = errors.number + excluded.number`,
      [toLocalDate(db.now), place, number],
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
      const errors = await db.query<{ day: string; place: string; number: number }>(
        'SELECT day, place, number FROM errors ORDER BY day, place',
      )
      const messages = MESSAGE_STATUSES.map((status) => {
        const { count = 0, oldest = db.now } = rows.find((row) => row.status === status) ?? {}
        return { status, count, oldestAgeMs: Math.max(0, db.now - oldest) }
      })
      /** `lastLetterAt` is in epoch ms. */
      return { messages, errors, lastLetterAt: letter?.time || undefined }
    },
    { readOnly: true },
  )
}
