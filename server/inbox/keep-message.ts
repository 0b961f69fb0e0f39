import { hash } from 'node:crypto'
import { TYPED_FIELDS } from '../../shared/contact-fields.ts'
import type { ContactRequest } from '../../shared/contact-schema.ts'
import { REPEAT_HOURS } from '../../shared/retention.ts'
import { HOUR_MS } from './clock.ts'
import { createReference, type NewMessage, type Receipt } from './message.ts'
import { type MessageRow, toIso, toRow } from './message-row.ts'
import { insertMessage } from './messages.ts'
import type { Database, Store } from './store.ts'

/** Repeated content is recognized for this long; no window of the limit is longer. */
export const REPEAT_MS = REPEAT_HOURS * HOUR_MS

/** Requests with the same content have the same fingerprint, unless only one of them filled a trap. */
function getFingerprint(request: ContactRequest): string {
  const values = TYPED_FIELDS.map((name) => request[name].trim())
  return hash('sha256', JSON.stringify([...values, request.trapped.length > 0]))
}

const toReceipt = (
  { reference, received_at }: Pick<MessageRow, 'reference' | 'received_at'>,
  outcome: Receipt['outcome'],
): Receipt => ({ reference, receivedAt: toIso(received_at), outcome })

async function findEarlier(db: Database, message: NewMessage): Promise<Receipt | undefined> {
  const [earlier] = await db.query<Pick<MessageRow, 'reference' | 'received_at'>>(
    `SELECT reference, received_at FROM receipts
    WHERE fingerprint = $1 AND address = $2 AND received_at > $3
    ORDER BY received_at LIMIT 1`,
    [getFingerprint(message), message.address, db.now - REPEAT_MS],
  )
  return earlier && toReceipt(earlier, 'repeated')
}

/** Finds the message that has the same content from the same address, of the last 24 hours. */
export function findRepeated(store: Store, message: NewMessage): Promise<Receipt | undefined> {
  return store.transaction((db) => findEarlier(db, message), { readOnly: true })
}

/** Stores a message and queues its mail, unless a message with the same content was stored meanwhile. */
export function keepMessage(store: Store, message: NewMessage): Promise<Receipt> {
  return store.transaction(async (db) => {
    const fingerprint = getFingerprint(message)
    await db.lock(`receipt ${fingerprint} ${message.address}`)
    const earlier = await findEarlier(db, message)
    if (earlier) return earlier
    const isTrapped = message.trapped.length > 0
    const row = await insertNew(db, message, isTrapped ? 'quarantined' : 'new')
    await db.change(
      `INSERT INTO receipts (fingerprint, address, idempotency_key, reference, received_at)
      VALUES ($1, $2, '', $3, $4)
      ON CONFLICT (fingerprint, address, idempotency_key)
      DO UPDATE SET reference = excluded.reference, received_at = excluded.received_at`,
      [fingerprint, message.address, row.reference, row.received_at],
    )
    return toReceipt(row, isTrapped ? 'quarantined' : 'accepted')
  })
}

/** Inserts a message under a random reference that is not yet in use. */
async function insertNew(db: Database, message: NewMessage, status: 'new' | 'quarantined') {
  for (;;) {
    const row = toRow({ ...message, reference: createReference(), status }, db.now)
    if (await insertMessage(db, row)) return row
  }
}
