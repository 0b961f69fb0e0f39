import type { HitLimit, Submission } from '../inbox.ts'
import { CLOCK_TOLERANCE_MS, MAX_HIT_LIFETIME_MS } from '../message-row.ts'
import type { Session } from './session.ts'

type HitCount = Pick<Submission, 'count' | 'resetInMs'>

/**
 * The hits of an address in its sliding window; exact while the address is locked.
 * docs/decisions/message-limit.md says which hits lie too far ahead.
 */
export async function countHits(
  session: Session,
  address: string,
  windowMs: number,
  now: number,
): Promise<HitCount> {
  const end = now + windowMs
  // The SELECT does not see the UPDATE beside it.
  const [counted] = await session.query<{ count: number; reset_at: number | null }>(
    `WITH shortened AS (
      UPDATE hits SET expires_at = $4
      WHERE address = $1 AND expires_at > $5 AND expires_at <= $3)
    SELECT count(*) AS count, min(least(expires_at, $4)) AS reset_at FROM hits
    WHERE address = $1 AND expires_at > $2 AND expires_at <= $3`,
    [address, now, now + MAX_HIT_LIFETIME_MS, end, end + CLOCK_TOLERANCE_MS],
  )
  const { count = 0, reset_at } = counted ?? {}
  return { count, resetInMs: (reset_at ?? end) - now }
}

/** Adds a hit unless the limit is used up; `count` is limit + 1 then. Exact while the address is locked. */
export async function addHit(
  session: Session,
  address: string,
  { limit, windowMs }: HitLimit,
  now: number,
): Promise<HitCount> {
  const before = await countHits(session, address, windowMs, now)
  if (before.count >= limit) return { ...before, count: limit + 1 }
  await session.change(
    `WITH impossible AS (DELETE FROM hits WHERE address = $1 AND expires_at > $3)
    INSERT INTO hits (address, expires_at) VALUES ($1, $2)`,
    [address, now + windowMs, now + MAX_HIT_LIFETIME_MS],
  )
  return { ...before, count: before.count + 1 }
}
