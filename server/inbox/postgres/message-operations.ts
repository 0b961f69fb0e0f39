import { getFingerprint } from '../fingerprint.ts'
import type { ListQuery } from '../inbox.ts'
import {
  type EarlierRow,
  type MessageRecord,
  RECEIPT_LIFETIME,
  toMessage,
  toReceipt,
  toRecord,
} from '../message-row.ts'
import { addHit, countHits } from './hits.ts'
import { insert, insertNew } from './insert.ts'
import type { PostgresOperations } from './operations.ts'
import type { Session } from './session.ts'

interface Sought {
  fingerprint: string
  address: string
  key: string
  since: number
}

async function findEarlier(session: Session, sought: Sought): Promise<EarlierRow | undefined> {
  const { fingerprint, address, key, since } = sought
  const [row] = await session.query<EarlierRow>(
    `SELECT reference, received_at, idempotency_key = $4 AND $4 <> '' AS keyed FROM receipts
    WHERE fingerprint = $1 AND received_at > $2
      AND (address = $3 OR (idempotency_key = $4 AND $4 <> ''))
    ORDER BY keyed DESC, received_at LIMIT 1`,
    [fingerprint, since, address, key],
  )
  return row
}

const ORDERS: Record<ListQuery['order'], { comparison: string; direction: string; start: number }> =
  {
    'newest-first': { comparison: '<', direction: 'DESC', start: Number.MAX_SAFE_INTEGER },
    'oldest-first': { comparison: '>', direction: 'ASC', start: Number.MIN_SAFE_INTEGER },
  }

export const MESSAGE_OPERATIONS: PostgresOperations<
  'submit' | 'hasReference' | 'find' | 'list' | 'importMessages'
> = {
  async submit(session, message, limit, now) {
    const { address, idempotencyKey: key = '' } = message
    const fingerprint = getFingerprint(message)
    const since = now - RECEIPT_LIFETIME
    // Always in this order, so that nothing waits in a circle.
    await session.lock(`receipt ${fingerprint}`, `hit ${address}`)
    const earlier = await findEarlier(session, { fingerprint, address, key, since })
    if (earlier?.keyed) {
      const hits = await countHits(session, address, limit.windowMs, now)
      return { ...hits, receipt: toReceipt(earlier, true) }
    }
    const hits = await addHit(session, address, limit, now)
    if (hits.count > limit.limit) return hits
    const first = earlier ?? (await insertNew(session, message, now))
    await session.change(
      `INSERT INTO receipts (fingerprint, address, idempotency_key, reference, received_at)
      VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (fingerprint, address, idempotency_key)
      DO UPDATE SET reference = excluded.reference, received_at = excluded.received_at
      WHERE receipts.received_at <= $6`,
      [fingerprint, address, key, first.reference, first.received_at, since],
    )
    return { ...hits, receipt: toReceipt(first, earlier !== undefined) }
  },

  async hasReference(session, reference) {
    const sql = 'SELECT 1 FROM messages WHERE reference = $1'
    return (await session.query(sql, [reference])).length > 0
  },

  async find(session, reference) {
    const sql = 'SELECT * FROM messages WHERE reference = $1'
    const [row] = await session.query<MessageRecord>(sql, [reference])
    return row && toMessage(row)
  },

  async list(session, { limit, order, status, after }) {
    const { comparison, direction, start } = ORDERS[order]
    const receivedAt = after ? Date.parse(after.receivedAt) : start
    const values = [receivedAt, after?.reference ?? '', limit, ...(status ? [status] : [])]
    const rows = await session.query<MessageRecord>(
      `SELECT * FROM messages
      WHERE (received_at, reference) ${comparison} ($1, $2) ${status ? 'AND status = $4' : ''}
      ORDER BY received_at ${direction}, reference ${direction} LIMIT $3`,
      values,
    )
    return rows.map(toMessage)
  },

  async importMessages(session, messages, now) {
    const records = messages.map(toRecord)
    const imported = await insert(session, records, now)
    const present = records.filter(({ reference }) => !imported.has(reference))
    const rows = await session.query<Pick<MessageRecord, 'reference' | 'content_hash'>>(
      'SELECT reference, content_hash FROM messages WHERE reference = ANY ($1)',
      [present.map(({ reference }) => reference)],
    )
    const hashes = new Map(rows.map(({ reference, content_hash }) => [reference, content_hash]))
    const different = present.filter(
      ({ reference, content_hash }) => hashes.get(reference) !== content_hash,
    )
    return {
      imported: imported.size,
      present: present.length - different.length,
      different: different.map(({ reference }) => reference),
    }
  },
}
