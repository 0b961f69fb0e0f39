import type { DatabaseSync } from 'node:sqlite'
import type { HitLimit } from '../inbox.ts'
import type { CountedHit } from '../operations.ts'

/** The limiter's sliding windows; `now` is the caller's clock in epoch ms. */
export function createHitOperations(database: DatabaseSync) {
  const deleteExpired = database.prepare('DELETE FROM hits WHERE expires_at <= ?')
  const countHits = database.prepare(
    'SELECT count(*) AS hits, min(expires_at) AS reset_at FROM hits WHERE address = ?',
  )
  const insertHit = database.prepare('INSERT INTO hits (address, expires_at) VALUES (?, ?)')
  const deleteHit = database.prepare('DELETE FROM hits WHERE id = ?')

  return {
    hit(address: string, { limit, windowMs }: HitLimit, now: number): CountedHit {
      deleteExpired.run(now)
      const counted = countHits.get(address)
      const hits = Number(counted?.hits)
      const resetAt = Number(counted?.reset_at ?? now + windowMs)
      if (hits >= limit) return { hits: limit + 1, resetAt }
      const id = Number(insertHit.run(address, now + windowMs).lastInsertRowid)
      return { id, hits: hits + 1, resetAt }
    },

    giveBack(id: number): void {
      deleteHit.run(id)
    },
  }
}
