import type { NewMessage } from '../inbox.ts'
import { createRecord, type MessageRecord } from '../message-row.ts'
import { createReference } from '../reference.ts'
import type { Session } from './session.ts'

const COLUMNS: Record<keyof MessageRecord, 'text' | 'bigint'> = {
  reference: 'text',
  received_at: 'bigint',
  status: 'text',
  trapped: 'text',
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  service: 'text',
  message: 'text',
  language: 'text',
  content_hash: 'text',
  read_at: 'bigint',
  mailbox: 'text',
}

const names = Object.keys(COLUMNS) as (keyof MessageRecord)[]
const arrays = names.map((name, index) => `$${index + 1}::${COLUMNS[name]}[]`)
const NOW = `$${names.length + 1}::bigint`

const INSERT = `
  WITH inserted AS (
    INSERT INTO messages (${names.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})
    ON CONFLICT (reference) DO NOTHING RETURNING reference, status
  )
  INSERT INTO outbox (reference, due_at, queued_at, attempts)
  SELECT reference, CASE WHEN status = 'new' THEN ${NOW} END, ${NOW}, 0 FROM inserted
  RETURNING reference`

/** Inserts messages together with their outbox rows; resolves to those whose reference was free. */
export async function insert(
  session: Session,
  records: MessageRecord[],
  now: number,
): Promise<Set<string>> {
  const values = names.map((name) => records.map((record) => record[name]))
  const rows = await session.query<{ reference: string }>(INSERT, [...values, now])
  return new Set(rows.map(({ reference }) => reference))
}

/** Inserts a message under a reference that no other message has. */
export async function insertNew(
  session: Session,
  message: NewMessage,
  now: number,
  draw = createReference,
): Promise<MessageRecord> {
  for (;;) {
    const record = createRecord(message, draw(), now)
    if ((await insert(session, [record], now)).size > 0) return record
  }
}
