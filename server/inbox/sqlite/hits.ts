import type { DatabaseSync } from 'node:sqlite'
import type { HitLimit, Submission } from '../inbox.ts'
import { CLOCK_TOLERANCE_MS, MAX_HIT_LIFETIME_MS } from '../message-row.ts'

type HitCount = Pick<Submission, 'count' | 'resetInMs'>

/** The limiter's sliding windows; docs/decisions/message-limit.md says which hits lie too far ahead. */
export function createHits(database: DatabaseSync) {
  const deleteUnusable = database.prepare(
    'DELETE FROM hits WHERE expires_at <= ? OR expires_at > ?',
  )
  const shorten = database.prepare(
    'UPDATE hits SET expires_at = ? WHERE address = ? AND expires_at > ?',
  )
  const countHits = database.prepare(
    'SELECT count(*) AS count, min(expires_at) AS reset_at FROM hits WHERE address = ?',
  )
  const insertHit = database.prepare('INSERT INTO hits (address, expires_at) VALUES (?, ?)')

  function count(address: string, windowMs: number, now: number): HitCount {
    const end = now + windowMs
    deleteUnusable.run(now, now + MAX_HIT_LIFETIME_MS)
    shorten.run(end, address, end + CLOCK_TOLERANCE_MS)
    const counted = countHits.get(address)
    return { count: Number(counted?.count), resetInMs: Number(counted?.reset_at ?? end) - now }
  }

  return {
    count,

    /** Adds a hit unless the limit is used up; `count` is limit + 1 then. */
    addHit(address: string, { limit, windowMs }: HitLimit, now: number): HitCount {
      const before = count(address, windowMs, now)
      if (before.count >= limit) return { ...before, count: limit + 1 }
      insertHit.run(address, now + windowMs)
      return { ...before, count: before.count + 1 }
    },
  }
}
