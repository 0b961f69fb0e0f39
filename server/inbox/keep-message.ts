import { hash } from 'node:crypto'
import { TYPED_FIELDS } from '../../shared/contact-fields.ts'
import { REPEAT_HOURS } from '../../shared/retention.ts'
import { HOUR_MS } from './clock.ts'
import type { Database } from './driver.ts'
import {
  createReference,
  type MessageRow,
  type MessageStatus,
  type NewMessage,
  toRow,
} from './message.ts'
import type { Store } from './store.ts'

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

/** True for a status in which a message waits to be mailed. */
export const isQueued = ({ status }: { status: MessageStatus }) =>
  status === 'new' || status === 'dead'

/** Inserts a message with its outbox row. */
export async function insertMessage(db: Database, row: MessageRow): Promise<void> {
  const columns = Object.keys(row)
  const placeholders = columns.map((_, index) => `$${index + 1}`)
  await db.change(
    `INSERT INTO messages (${columns.join(', ')}) VALUES (${placeholders.join(', ')})`,
    Object.values(row),
  )
  await db.change(
    'INSERT INTO outbox (id, reference, due_at, queued_at, attempts) VALUES ($1, $1, $2, $3, 0)',
    [row.reference, isQueued(row) ? db.now : null, db.now],
  )
}

/**
 * Stores a message and queues its mail, unless the same network sent the same content in the last 24 hours. Once it resolves, the
 * message is on the disk.
 */
export function keepMessage(store: Store, message: NewMessage): Promise<Receipt> {
  return store.transaction(async (db) => {
    const { network, trapped } = message
    const fingerprint = getFingerprint(message)
    await db.lock(`receipt ${fingerprint} ${network}`)
    const [earlier] = await db.query<{ reference: string; received_at: number }>(
      `SELECT reference, received_at FROM receipts
      WHERE fingerprint = $1 AND address = $2 AND received_at > $3`,
      [fingerprint, network, db.now - REPEAT_MS],
    )
    if (earlier) return toReceipt(earlier.reference, earlier.received_at, 'repeated')
    const status = trapped.length > 0 ? 'quarantined' : 'new'
    const reference = createReference()
    await insertMessage(db, toRow({ ...message, reference, status }, db.now))
    await db.change(
      `INSERT INTO receipts (fingerprint, address, reference, received_at)
      VALUES ($1, $2, $3, $4)
      ON CONFLICT (fingerprint, address)
      DO UPDATE SET reference = excluded.reference, received_at = excluded.received_at`,
      [fingerprint, network, reference, db.now],
    )
    return toReceipt(reference, db.now, status === 'new' ? 'accepted' : status)
  })
}

function toReceipt(reference: string, time: number, outcome: Receipt['outcome']): Receipt {
  return { reference, receivedAt: new Date(time).toISOString(), outcome }
}
