import type { DatabaseSync } from 'node:sqlite'
import type { HitLimit, Submission } from '../inbox.ts'
import { CLOCK_TOLERANCE_MS } from '../record.ts'

type Hits = Pick<Submission, 'hits' | 'resetInMs'>

/** The limiter's sliding windows. */
export function createHits(database: DatabaseSync) {
  // A hit that lies beyond its window was counted by a clock that was ahead and has been corrected since.
  const deleteExpired = database.prepare('DELETE FROM hits WHERE expires_at <= ? OR expires_at > ?')
  const countHits = database.prepare(
    'SELECT count(*) AS hits, min(expires_at) AS reset_at FROM hits WHERE address = ?',
  )
  const insertHit = database.prepare('INSERT INTO hits (address, expires_at) VALUES (?, ?)')

  function count(address: string, windowMs: number, now: number): Hits {
    deleteExpired.run(now, now + windowMs + CLOCK_TOLERANCE_MS)
    const counted = countHits.get(address)
    return {
      hits: Number(counted?.hits),
      resetInMs: Number(counted?.reset_at ?? now + windowMs) - now,
    }
  }

  return {
    count,

    /** Counts a hit unless the limit is used up; `hits` is limit + 1 then. */
    hit(address: string, { limit, windowMs }: HitLimit, now: number): Hits {
      const { hits, resetInMs } = count(address, windowMs, now)
      if (hits >= limit) return { hits: limit + 1, resetInMs }
      insertHit.run(address, now + windowMs)
      return { hits: hits + 1, resetInMs }
    },
  }
}
