import { CLOCK_TOLERANCE_MS, MAX_RETRY_DELAY_MS } from '../clock.ts'
import type { Session } from '../session.ts'

/** Corrects times in the future, which a clock that was ahead has stored. Resolves to the number of changes. */
export async function repairTimes(session: Session): Promise<number> {
  const { now } = session
  const ahead = now + CLOCK_TOLERANCE_MS
  const clamp = (table: string, column: string, rows = '') =>
    session.change(`UPDATE ${table} SET ${column} = $1 WHERE ${column} > $2 ${rows}`, [now, ahead])
  const changes = [
    await clamp('hits', 'hit_at'),
    await clamp('receipts', 'received_at'),
    await clamp('attempts', 'tried_at', "AND outcome = 'mailed'"),
    // Otherwise the days ahead would get no daily letter.
    await session.change('DELETE FROM outbox WHERE reference IS NULL AND queued_at > $1', [ahead]),
    await session.change(
      'UPDATE outbox SET due_at = $1 WHERE due_at > $2 OR (due_at IS NOT NULL AND queued_at > $3)',
      [now, ahead + MAX_RETRY_DELAY_MS, ahead],
    ),
    await clamp('outbox', 'queued_at', 'AND due_at IS NOT NULL'),
  ]
  return changes.reduce((sum, count) => sum + count)
}
