import type { DatabaseSync } from 'node:sqlite'
import type { HitLimit } from '../inbox.ts'
import type { CountedHit } from '../operations.ts'
import { CLOCK_TOLERANCE_MS } from '../record.ts'

/** The limiter's sliding windows. */
export function createHitOperations(database: DatabaseSync) {
  // A hit that lies beyond its window was counted by a clock that was ahead and has been corrected since.
  const deleteExpired = database.prepare('DELETE FROM hits WHERE expires_at <= ? OR expires_at > ?')
  const countHits = database.prepare(
    'SELECT count(*) AS hits, min(expires_at) AS reset_at FROM hits WHERE address = ?',
  )
  const insertHit = database.prepare('INSERT INTO hits (address, expires_at) VALUES (?, ?)')
  const deleteHit = database.prepare('DELETE FROM hits WHERE id = ?')

  return {
    hit(address: string, { limit, windowMs }: HitLimit, now: number): CountedHit {
      deleteExpired.run(now, now + windowMs + CLOCK_TOLERANCE_MS)
      const counted = countHits.get(address)
      const hits = Number(counted?.hits)
      const resetInMs = Number(counted?.reset_at ?? now + windowMs) - now
      if (hits >= limit) return { hits: limit + 1, resetInMs }
      const id = Number(insertHit.run(address, now + windowMs).lastInsertRowid)
      return { id, hits: hits + 1, resetInMs }
    },

    giveBack(id: number): void {
      deleteHit.run(id)
    },
  }
}
