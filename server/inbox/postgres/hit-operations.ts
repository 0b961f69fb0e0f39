import { CLOCK_TOLERANCE_MS } from '../record.ts'
import type { PostgresOperations } from './operations.ts'

/** The limiter's sliding windows; counting and inserting is exact because an address is locked meanwhile. */
export const HIT_OPERATIONS: PostgresOperations<'hit' | 'giveBack'> = {
  async hit(session, address, { limit, windowMs }, now) {
    await session.lock(`hit ${address}`)
    const [counted] = await session.query<{ hits: number; reset_at: number | null }>(
      `WITH impossible AS (DELETE FROM hits WHERE address = $1 AND expires_at > $3)
      SELECT count(*) AS hits, min(expires_at) AS reset_at FROM hits
      WHERE address = $1 AND expires_at > $2 AND expires_at <= $3`,
      [address, now, now + windowMs + CLOCK_TOLERANCE_MS],
    )
    const { hits = 0, reset_at } = counted ?? {}
    const resetInMs = reset_at == null ? windowMs : reset_at - now
    if (hits >= limit) return { hits: limit + 1, resetInMs }
    const [row] = await session.query<{ id: number }>(
      'INSERT INTO hits (address, expires_at) VALUES ($1, $2) RETURNING id',
      [address, now + windowMs],
    )
    return { id: row?.id, hits: hits + 1, resetInMs }
  },

  async giveBack(session, id) {
    await session.change('DELETE FROM hits WHERE id = $1', [id])
  },
}
