import { REPEAT_HOURS } from '../../../shared/retention.ts'
import { HOUR_MS } from '../clock.ts'
import { createReference, type MessageStatus, type NewMessage, type Receipt } from '../message.ts'
import { getFingerprint, type MessageRow, toIso, toRow } from '../message-row.ts'
import type { Session } from '../session.ts'
import { insertMessage } from './messages.ts'

/** Repeated content and Idempotency-Keys are recognized for this long; no window of the limit is longer. */
export const RECEIPT_LIFETIME_MS = REPEAT_HOURS * HOUR_MS

/**
 * Without a receipt: the hits exceed the limit, so nothing was stored or counted. Without hits: an Idempotency-Key was
 * repeated.
 */
type SubmitResult = { receipt: Receipt; hits?: undefined } | { receipt?: Receipt; hits: Hits }

export interface Hits {
  /** Hits of the address in the window, this message included. */
  count: number
  /** Time until the oldest hit leaves the window, in ms. */
  resetInMs: number
}

type ReceiptRow = Pick<MessageRow, 'reference' | 'received_at'>

interface EarlierRow extends ReceiptRow {
  /** True if the Idempotency-Key is the same; false if only content and address are the same. */
  keyed: boolean | number
}

/**
 * Within the limit, counts a hit of the sender's network address, and stores the message or finds the one that it
 * repeats. The same content with the same Idempotency-Key counts no hit, and gets its receipt even beyond the limit.
 */
export async function submit(
  session: Session,
  message: NewMessage,
  { limit, windowMs }: { limit: number; windowMs: number },
): Promise<SubmitResult> {
  const { now } = session
  const { address, idempotencyKey: key = '' } = message
  const fingerprint = getFingerprint(message)
  const since = now - RECEIPT_LIFETIME_MS
  // Always lock in this order: it prevents deadlocks.
  await session.lock(`receipt ${fingerprint}`, `hit ${address}`)
  const [earlier] = await session.query<EarlierRow>(
    `SELECT reference, received_at, idempotency_key = $4 AND $4 <> '' AS keyed FROM receipts
    WHERE fingerprint = $1 AND received_at > $2
      AND (address = $3 OR (idempotency_key = $4 AND $4 <> ''))
    ORDER BY keyed DESC, received_at LIMIT 1`,
    [fingerprint, since, address, key],
  )
  if (earlier?.keyed) return { receipt: toReceipt(earlier, 'replayed') }
  const hits = await countHits(session, address, windowMs)
  if (hits.count > limit) return { hits }
  await session.change('INSERT INTO hits (address, hit_at) VALUES ($1, $2)', [address, now])
  const isTrapped = message.trapped.length > 0
  const row = earlier ?? (await insertNew(session, message, isTrapped ? 'quarantined' : 'new'))
  await session.change(
    `INSERT INTO receipts (fingerprint, address, idempotency_key, reference, received_at)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (fingerprint, address, idempotency_key)
    DO UPDATE SET reference = excluded.reference, received_at = excluded.received_at
    WHERE receipts.received_at <= $6`,
    [fingerprint, address, key, row.reference, row.received_at, since],
  )
  const kept = isTrapped ? 'quarantined' : 'accepted'
  return { hits, receipt: toReceipt(row, earlier ? 'replayed' : kept) }
}

function toReceipt({ reference, received_at }: ReceiptRow, outcome: Receipt['outcome']): Receipt {
  return { reference, receivedAt: toIso(received_at), outcome }
}

/** Counts this message too. The count is exact only while the caller locks the address. */
async function countHits(session: Session, address: string, windowMs: number): Promise<Hits> {
  const { now } = session
  const [hits] = await session.query<{ count: number; first: number | null }>(
    'SELECT count(*) AS count, min(hit_at) AS first FROM hits WHERE address = $1 AND hit_at > $2',
    [address, now - windowMs],
  )
  const { count = 0, first } = hits ?? {}
  return { count: count + 1, resetInMs: Math.min(first ?? now, now) + windowMs - now }
}

/** Inserts a message under a random reference that is not yet in use. */
async function insertNew(session: Session, message: NewMessage, status: MessageStatus) {
  for (;;) {
    const row = toRow({ ...message, reference: createReference(), status }, session.now)
    if (await insertMessage(session, row)) return row
  }
}
