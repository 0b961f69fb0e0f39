import { MAX_CONTACT_WINDOW_MINUTES, REPEAT_HOURS } from '../../../shared/constants.ts'
import { CLOCK_TOLERANCE_MS, HOUR_MS } from '../clock.ts'
import { createReference, type NewMessage, type Receipt } from '../message.ts'
import { getFingerprint, type MessageRow, toIso, toRow } from '../message-row.ts'
import type { Session } from '../session.ts'
import { insertMessage } from './messages.ts'

/** No correct clock writes a hit that expires later than this. Such a hit is ignored: its clock was ahead. */
export const MAX_HIT_LIFETIME_MS = MAX_CONTACT_WINDOW_MINUTES * 60_000 + CLOCK_TOLERANCE_MS

/** Repeated content and Idempotency-Keys are recognized for this long. */
export const RECEIPT_LIFETIME_MS = REPEAT_HOURS * HOUR_MS

export interface Submission {
  /** Absent when the message is refused because the limit is used up. */
  receipt?: Receipt
  /** Number of hits in the window, this message included if it counts; limit + 1 when the message is refused. */
  count: number
  /** Time until the oldest hit leaves the window, in ms. */
  resetInMs: number
}

interface EarlierRow extends Pick<MessageRow, 'reference' | 'received_at'> {
  /** True if the Idempotency-Key is the same; false if only content and address are the same. */
  keyed: boolean | number
}

/**
 * Counts a hit of the sender's network address, and stores the message or finds the one that it repeats. The same
 * content with the same Idempotency-Key counts no hit, even when the limit is used up.
 */
export async function submit(
  session: Session,
  message: NewMessage,
  { limit, windowMs }: { limit: number; windowMs: number },
): Promise<Submission> {
  const { now } = session
  const { address, idempotencyKey: key = '' } = message
  const fingerprint = getFingerprint(message)
  const since = now - RECEIPT_LIFETIME_MS
  // A later receipt was written while a clock was ahead.
  const ahead = now + CLOCK_TOLERANCE_MS
  // Always lock in this order: it prevents deadlocks.
  await session.lock(`receipt ${fingerprint}`, `hit ${address}`)
  const [earlier] = await session.query<EarlierRow>(
    `SELECT reference, received_at, idempotency_key = $4 AND $4 <> '' AS keyed FROM receipts
    WHERE fingerprint = $1 AND received_at > $2 AND received_at <= $5
      AND (address = $3 OR (idempotency_key = $4 AND $4 <> ''))
    ORDER BY keyed DESC, received_at LIMIT 1`,
    [fingerprint, since, address, key, ahead],
  )
  const hits = await countHits(session, address, windowMs)
  if (earlier?.keyed) {
    // The limit may have been higher when the hits were counted.
    return { ...hits, count: Math.min(hits.count, limit), receipt: toReceipt(earlier, true) }
  }
  if (hits.count >= limit) return { ...hits, count: limit + 1 }
  await session.change('INSERT INTO hits (address, expires_at) VALUES ($1, $2)', [
    address,
    now + windowMs,
  ])
  const first = earlier ?? (await insertNew(session, message))
  await session.change(
    `INSERT INTO receipts (fingerprint, address, idempotency_key, reference, received_at)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (fingerprint, address, idempotency_key)
    DO UPDATE SET reference = excluded.reference, received_at = excluded.received_at
    WHERE receipts.received_at <= $6 OR receipts.received_at > $7`,
    [fingerprint, address, key, first.reference, first.received_at, since, ahead],
  )
  const receipt = toReceipt(first, earlier !== undefined)
  return { ...hits, count: hits.count + 1, receipt }
}

function toReceipt(
  { reference, received_at }: Omit<EarlierRow, 'keyed'>,
  repeated: boolean,
): Receipt {
  return { reference, receivedAt: toIso(received_at), repeated }
}

/** The count is exact only while the caller locks the address. */
async function countHits(
  session: Session,
  address: string,
  windowMs: number,
): Promise<Pick<Submission, 'count' | 'resetInMs'>> {
  const { now } = session
  const end = now + windowMs
  const impossible = now + MAX_HIT_LIFETIME_MS
  const [hits] = await session.query<{ count: number; reset_at: number; last: number }>(
    `SELECT count(*) FILTER (WHERE expires_at <= $3) AS count, min(expires_at) AS reset_at,
      max(expires_at) AS last
    FROM hits WHERE address = $1 AND expires_at > $2`,
    [address, now, impossible],
  )
  const { count = 0, reset_at, last } = hits ?? {}
  if (Number(last) > end + CLOCK_TOLERANCE_MS) {
    // The window was longer before, or a clock was ahead. See docs/decisions/0004-message-limit.md.
    await session.change('DELETE FROM hits WHERE address = $1 AND expires_at > $2', [
      address,
      impossible,
    ])
    await session.change('UPDATE hits SET expires_at = $2 WHERE address = $1 AND expires_at > $3', [
      address,
      end,
      end + CLOCK_TOLERANCE_MS,
    ])
  }
  return { count, resetInMs: Math.min(reset_at ?? end, end) - now }
}

/** Inserts a message under a random reference that is not yet in use. */
export async function insertNew(
  session: Session,
  message: NewMessage,
  draw = createReference,
): Promise<MessageRow> {
  const status = message.trapped.length > 0 ? 'quarantined' : 'new'
  for (;;) {
    const row = toRow({ ...message, reference: draw(), status }, session.now)
    if (await insertMessage(session, row)) return row
  }
}
