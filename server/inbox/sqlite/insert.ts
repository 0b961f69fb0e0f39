import type { DatabaseSync } from 'node:sqlite'
import type { NewMessage } from '../inbox.ts'
import { createRecord, type MessageRecord } from '../message-row.ts'
import { createReference } from '../reference.ts'

/** Inserts a message together with its outbox row; returns false when its reference is taken. */
export function createInsert(database: DatabaseSync) {
  const insertMessage = database.prepare(`
    INSERT INTO messages (reference, received_at, status, trapped, first_name, last_name, email,
      service, message, language, content_hash, read_at, mailbox)
    VALUES (:reference, :received_at, :status, :trapped, :first_name, :last_name, :email,
      :service, :message, :language, :content_hash, :read_at, :mailbox)
    ON CONFLICT (reference) DO NOTHING`)
  const insertOutbox = database.prepare(
    'INSERT INTO outbox (reference, due_at, queued_at, attempts) VALUES (?, ?, ?, 0)',
  )

  return function insert(record: MessageRecord, now: number): boolean {
    if (insertMessage.run({ ...record }).changes === 0) return false
    insertOutbox.run(record.reference, record.status === 'new' ? now : null, now)
    return true
  }
}

/** Inserts a message under a reference that no other message has. */
export function insertNew(
  insert: ReturnType<typeof createInsert>,
  message: NewMessage,
  now: number,
  draw = createReference,
): MessageRecord {
  for (;;) {
    const record = createRecord(message, draw(), now)
    if (insert(record, now)) return record
  }
}
