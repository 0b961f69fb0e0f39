import type { DatabaseSync } from 'node:sqlite'
import { getFingerprint } from '../fingerprint.ts'
import {
  type EarlierRow,
  type MessageRecord,
  RECEIPT_LIFETIME,
  toMessage,
  toReceipt,
} from '../message-row.ts'
import type { Operations } from '../operations.ts'
import { createHits } from './hits.ts'
import { createInsert, insertNew } from './insert.ts'

type MessageOperations = Pick<Operations, 'submit' | 'hasReference' | 'find' | 'list'>

/** What a visitor's message goes through, and how it is read again. */
export function createMessageOperations(database: DatabaseSync): MessageOperations {
  const insert = createInsert(database)
  const hits = createHits(database)
  const insertReceipt = database.prepare(`
    INSERT OR IGNORE INTO receipts (fingerprint, address, idempotency_key, reference, received_at)
    VALUES (?, ?, ?, ?, ?)`)
  const deleteOldReceipts = database.prepare('DELETE FROM receipts WHERE received_at <= ?')
  const findEarlier = database.prepare(`
    SELECT reference, received_at, idempotency_key = :key AND :key <> '' AS keyed FROM receipts
    WHERE fingerprint = :fingerprint AND received_at > :since AND (address = :address OR keyed)
    ORDER BY keyed DESC, received_at LIMIT 1`)
  const findReference = database.prepare('SELECT 1 FROM messages WHERE reference = ?')
  const findMessage = database.prepare('SELECT * FROM messages WHERE reference = ?')

  const listMessages = (status: string, comparison: '<' | '>', direction: 'DESC' | 'ASC') =>
    database.prepare(`
      SELECT * FROM messages
      WHERE ${status} (received_at, reference) ${comparison} (:receivedAt, :reference)
      ORDER BY received_at ${direction}, reference ${direction} LIMIT :limit`)
  const createLists = (status: string) => ({
    'newest-first': listMessages(status, '<', 'DESC'),
    'oldest-first': listMessages(status, '>', 'ASC'),
  })
  const lists = { all: createLists(''), byStatus: createLists('status = :status AND') }
  const starts = {
    'newest-first': Number.MAX_SAFE_INTEGER,
    'oldest-first': Number.MIN_SAFE_INTEGER,
  }

  return {
    submit(message, limit, now) {
      const { address, idempotencyKey: key = '' } = message
      const fingerprint = getFingerprint(message)
      const since = now - RECEIPT_LIFETIME
      deleteOldReceipts.run(since)
      const row = findEarlier.get({ fingerprint, address, key, since })
      const earlier = row as unknown as EarlierRow | undefined
      if (earlier?.keyed) {
        return { ...hits.count(address, limit.windowMs, now), receipt: toReceipt(earlier, true) }
      }
      const counted = hits.addHit(address, limit, now)
      if (counted.count > limit.limit) return counted
      const first = earlier ?? insertNew(insert, message, now)
      insertReceipt.run(fingerprint, address, key, first.reference, first.received_at)
      return { ...counted, receipt: toReceipt(first, earlier !== undefined) }
    },

    hasReference(reference) {
      return findReference.get(reference) !== undefined
    },

    find(reference) {
      const row = findMessage.get(reference)
      return row && toMessage(row as unknown as MessageRecord)
    },

    list({ limit, order, status, after }) {
      const receivedAt = after ? Date.parse(after.receivedAt) : starts[order]
      const range = { limit, receivedAt, reference: after?.reference ?? '' }
      const rows = status
        ? lists.byStatus[order].all({ ...range, status })
        : lists.all[order].all(range)
      return rows.map((row) => toMessage(row as unknown as MessageRecord))
    },
  }
}
