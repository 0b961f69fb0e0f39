import type { HitLimit, Submission } from '../inbox.ts'
import { CLOCK_TOLERANCE_MS } from '../record.ts'
import type { Session } from './session.ts'

type Hits = Pick<Submission, 'hits' | 'resetInMs'>

/** The hits of an address in its sliding window, without those of a clock that was ahead and was corrected. */
export async function countHits(
  session: Session,
  address: string,
  windowMs: number,
  now: number,
): Promise<Hits> {
  const [counted] = await session.query<{ hits: number; reset_at: number | null }>(
    `SELECT count(*) AS hits, min(expires_at) AS reset_at FROM hits
    WHERE address = $1 AND expires_at > $2 AND expires_at <= $3`,
    [address, now, now + windowMs + CLOCK_TOLERANCE_MS],
  )
  const { hits = 0, reset_at } = counted ?? {}
  return { hits, resetInMs: (reset_at ?? now + windowMs) - now }
}

/** Counts a hit unless the limit is used up; `hits` is limit + 1 then. Exact while the address is locked. */
export async function hit(
  session: Session,
  address: string,
  { limit, windowMs }: HitLimit,
  now: number,
): Promise<Hits> {
  const { hits, resetInMs } = await countHits(session, address, windowMs, now)
  if (hits >= limit) return { hits: limit + 1, resetInMs }
  await session.change(
    `WITH impossible AS (DELETE FROM hits WHERE address = $1 AND expires_at > $3)
    INSERT INTO hits (address, expires_at) VALUES ($1, $2)`,
    [address, now + windowMs, now + windowMs + CLOCK_TOLERANCE_MS],
  )
  return { hits: hits + 1, resetInMs }
}
