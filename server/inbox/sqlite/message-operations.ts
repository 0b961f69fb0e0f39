import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { getFingerprint } from '../fingerprint.ts'
import type { ListQuery, Message, NewMessage, Receipt } from '../inbox.ts'
import { createReference } from '../reference.ts'

const RECEIPT_LIFETIME = 24 * 60 * 60 * 1000

type Row = Record<string, SQLOutputValue>

function toIso(time: unknown): string {
  return new Date(Number(time)).toISOString()
}

function toMessage({ received_at, trapped, ...row }: Row): Message {
  const reasons = trapped ? String(trapped).split(',') : []
  return { ...row, receivedAt: toIso(received_at), trapped: reasons } as unknown as Message
}

const COLUMNS = `reference, received_at, status, trapped, first_name AS firstName,
  last_name AS lastName, email, service, message, language`

/** What can be done with messages and their receipts; `now` is the caller's clock in epoch ms. */
export function createMessageOperations(database: DatabaseSync) {
  const insertMessage = database.prepare(`
    INSERT INTO messages (reference, received_at, status, trapped,
      first_name, last_name, email, service, message, language)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const insertReceipt = database.prepare(`
    INSERT OR IGNORE INTO receipts (fingerprint, address, idempotency_key, reference, received_at)
    VALUES (?, ?, ?, ?, ?)`)
  const deleteOldReceipts = database.prepare('DELETE FROM receipts WHERE received_at <= ?')
  const findReceipt = database.prepare(`
    SELECT reference, received_at FROM receipts
    WHERE fingerprint = :fingerprint AND received_at > :since
      AND (address = :address OR (idempotency_key = :key AND :key <> ''))
    ORDER BY received_at LIMIT 1`)
  const findMessage = database.prepare(`SELECT ${COLUMNS} FROM messages WHERE reference = ?`)
  const listMessages = (comparison: '<' | '>', direction: 'DESC' | 'ASC') =>
    database.prepare(`
      SELECT ${COLUMNS} FROM messages
      WHERE (received_at, reference) ${comparison} (:receivedAt, :reference)
        AND (:status IS NULL OR status = :status)
      ORDER BY received_at ${direction}, reference ${direction} LIMIT :limit`)
  const lists = {
    'newest-first': { statement: listMessages('<', 'DESC'), start: Number.MAX_SAFE_INTEGER },
    'oldest-first': { statement: listMessages('>', 'ASC'), start: Number.MIN_SAFE_INTEGER },
  }

  function insert(message: NewMessage, now: number): string {
    const { trapped, firstName, lastName, email, service, language } = message
    const reference = createReference()
    const status = trapped.length > 0 ? 'quarantined' : 'new'
    const content = [firstName, lastName, email, service, message.message, language]
    insertMessage.run(reference, now, status, trapped.join(','), ...content)
    return reference
  }

  return {
    keep(message: NewMessage, now: number): Receipt {
      const { address, idempotencyKey: key = '' } = message
      const fingerprint = getFingerprint(message)
      const since = now - RECEIPT_LIFETIME
      deleteOldReceipts.run(since)
      const earlier = findReceipt.get({ fingerprint, address, key, since })
      const reference = earlier ? String(earlier.reference) : insert(message, now)
      const receivedAt = earlier ? Number(earlier.received_at) : now
      insertReceipt.run(fingerprint, address, key, reference, receivedAt)
      return { reference, receivedAt: toIso(receivedAt), repeated: earlier !== undefined }
    },

    findReceipt(key: string, fingerprint: string, now: number): Receipt | undefined {
      const since = now - RECEIPT_LIFETIME
      const row = findReceipt.get({ fingerprint, address: null, key, since })
      if (!row) return undefined
      return {
        reference: String(row.reference),
        receivedAt: toIso(row.received_at),
        repeated: true,
      }
    },

    find(reference: string): Message | undefined {
      const row = findMessage.get(reference)
      return row && toMessage(row)
    },

    list({ limit, order, status, after }: ListQuery): Message[] {
      const { statement, start } = lists[order]
      const receivedAt = after ? Date.parse(after.receivedAt) : start
      const reference = after?.reference ?? ''
      const rows = statement.all({ limit, status: status ?? null, receivedAt, reference })
      return rows.map(toMessage)
    },
  }
}
