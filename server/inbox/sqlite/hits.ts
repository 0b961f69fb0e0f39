import type { DatabaseSync } from 'node:sqlite'
import type { HitLimit, Submission } from '../inbox.ts'

type Hits = Pick<Submission, 'hits' | 'resetAt'>

/** The limiter's sliding windows; `now` is the caller's clock in epoch ms. */
export function createHits(database: DatabaseSync) {
  const deleteExpired = database.prepare('DELETE FROM hits WHERE expires_at <= ?')
  const countHits = database.prepare(
    'SELECT count(*) AS hits, min(expires_at) AS reset_at FROM hits WHERE address = ?',
  )
  const insertHit = database.prepare('INSERT INTO hits (address, expires_at) VALUES (?, ?)')

  function count(address: string, windowMs: number, now: number): Hits {
    deleteExpired.run(now)
    const counted = countHits.get(address)
    return {
      hits: Number(counted?.hits),
      resetAt: Number(counted?.reset_at ?? now + windowMs),
    }
  }

  return {
    count,

    /** Counts a hit unless the limit is used up; `hits` is limit + 1 then. */
    hit(address: string, { limit, windowMs }: HitLimit, now: number): Hits {
      const { hits, resetAt } = count(address, windowMs, now)
      if (hits >= limit) return { hits: limit + 1, resetAt }
      insertHit.run(address, now + windowMs)
      return { hits: hits + 1, resetAt }
    },
  }
}
