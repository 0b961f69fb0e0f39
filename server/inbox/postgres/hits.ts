import type { HitLimit, Submission } from '../inbox.ts'
import type { Session } from './session.ts'

type Hits = Pick<Submission, 'hits' | 'resetAt'>

/** The hits of an address in its sliding window; `now` is the caller's clock in epoch ms. */
export async function countHits(
  session: Session,
  address: string,
  windowMs: number,
  now: number,
): Promise<Hits> {
  const [counted] = await session.query<{ hits: number; reset_at: number | null }>(
    `SELECT count(*) AS hits, min(expires_at) AS reset_at FROM hits
    WHERE address = $1 AND expires_at > $2`,
    [address, now],
  )
  const { hits = 0, reset_at } = counted ?? {}
  return { hits, resetAt: reset_at ?? now + windowMs }
}

/** Counts a hit unless the limit is used up; `hits` is limit + 1 then. Exact while the address is locked. */
export async function hit(
  session: Session,
  address: string,
  { limit, windowMs }: HitLimit,
  now: number,
): Promise<Hits> {
  const { hits, resetAt } = await countHits(session, address, windowMs, now)
  if (hits >= limit) return { hits: limit + 1, resetAt }
  await session.change('INSERT INTO hits (address, expires_at) VALUES ($1, $2)', [
    address,
    now + windowMs,
  ])
  return { hits: hits + 1, resetAt }
}
