import { findDigestDate } from '../../mail/local-time.ts'
import type { Session } from '../session.ts'
import { CLOCK_TOLERANCE_MS } from './clock.ts'

/**
 * Lets one caller a day send the digest: resolves to its date (YYYY-MM-DD) for that caller.
 * A lease that ends unconfirmed can be taken again.
 */
export async function leaseDigest(session: Session, leaseMs: number): Promise<string | undefined> {
  const { now } = session
  const date = findDigestDate(now)
  if (date === undefined) return undefined
  const leaseEnd = now + leaseMs
  const leased = await session.change(
    `INSERT INTO digests (date, leased_until) VALUES ($1, $2)
    ON CONFLICT (date) DO UPDATE SET leased_until = excluded.leased_until
    WHERE digests.confirmed_at IS NULL
      AND (digests.leased_until <= $3 OR digests.leased_until > $4)`,
    [date, leaseEnd, now, leaseEnd + CLOCK_TOLERANCE_MS],
  )
  return leased === 1 ? date : undefined
}

export async function confirmDigest(session: Session, date: string): Promise<void> {
  await session.change('UPDATE digests SET confirmed_at = $1 WHERE date = $2', [session.now, date])
}
