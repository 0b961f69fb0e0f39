import { hash } from 'node:crypto'
import { TYPED_FIELDS } from '../../shared/contact-fields.ts'
import { REPEAT_HOURS } from '../../shared/retention.ts'
import { HOUR_MS } from './clock.ts'
import { createReference, type NewMessage, toRow } from './message.ts'
import { insertMessage } from './messages.ts'
import type { Database, Store } from './store.ts'

/** Repeated content is recognized for this long; no window of the limit is longer. */
export const REPEAT_MS = REPEAT_HOURS * HOUR_MS

export interface Receipt {
  reference: string
  /** ISO 8601, UTC. A repeated message gets the time of the first one. */
  receivedAt: string
  /** `accepted`: stored and queued to be mailed. `repeated`: the content is that of a stored message. */
  outcome: 'accepted' | 'quarantined' | 'repeated'
}

/** Messages with the same content have the same fingerprint, unless only one of them filled a trap. */
function getFingerprint(message: NewMessage): string {
  const values = TYPED_FIELDS.map((name) => message[name].trim())
  return hash('sha256', JSON.stringify([...values, message.trapped.length > 0]))
}

function toReceipt(reference: string, time: number, outcome: Receipt['outcome']): Receipt {
  return { reference, receivedAt: new Date(time).toISOString(), outcome }
}

async function findEarlier(db: Database, message: NewMessage): Promise<Receipt | undefined> {
  const [earlier] = await db.query<{ reference: string; received_at: number }>(
    `SELECT reference, received_at FROM receipts
    WHERE fingerprint = $1 AND address = $2 AND received_at > $3
    ORDER BY received_at LIMIT 1`,
    [getFingerprint(message), message.address, db.now - REPEAT_MS],
  )
  return earlier && toReceipt(earlier.reference, earlier.received_at, 'repeated')
}

/** Stores a message and queues its mail, unless the same address sent the same content in the last 24 hours. */
export function keepMessage(store: Store, message: NewMessage): Promise<Receipt> {
  return store.transaction(async (db) => {
    const fingerprint = getFingerprint(message)
    await db.lock(`receipt ${fingerprint} ${message.address}`)
    const earlier = await findEarlier(db, message)
    if (earlier) return earlier
    const isTrapped = message.trapped.length > 0
    const status = isTrapped ? 'quarantined' : 'new'
    const reference = createReference()
    await insertMessage(db, toRow({ ...message, reference, status }, db.now))
    await db.change(
      `INSERT INTO receipts (fingerprint, address, reference, received_at)
      VALUES ($1, $2, $3, $4)
      ON CONFLICT (fingerprint, address)
      DO UPDATE SET reference = excluded.reference, received_at = excluded.received_at`,
      [fingerprint, message.address, reference, db.now],
    )
    return toReceipt(reference, db.now, isTrapped ? 'quarantined' : 'accepted')
  })
}
