import type { Message, MessageStatus } from '../message.ts'
import {
  getReferences,
  MESSAGE_COLUMNS,
  type MessageRow,
  type ReferenceRow,
  toMessage,
  toRow,
} from '../message-row.ts'
import { cacheByCount, type Session, toPlaceholders, toValuesClause } from '../session.ts'

/** SQLite allows 32 766 values in a statement; a message has 13. */
const MAX_INSERT_ROWS = 1000

export interface ListQuery {
  limit: number
  order: 'newest-first' | 'oldest-first'
  status?: MessageStatus
  /** Cursor: the last message of the previous batch. */
  after?: Pick<Message, 'receivedAt' | 'reference'>
}

const getMessagesInsert = cacheByCount(
  (count) => `INSERT INTO messages (${MESSAGE_COLUMNS.join(', ')})
    ${toValuesClause(count, MESSAGE_COLUMNS.length)}
    ON CONFLICT (reference) DO NOTHING RETURNING reference`,
)
const getOutboxInsert = cacheByCount(
  (count) =>
    `INSERT INTO outbox (reference, due_at, queued_at, attempts) ${toValuesClause(count, 4)}`,
)

/** Inserts messages with their outbox rows; skips used references and resolves to the inserted ones. */
export async function insertMessages(
  session: Session,
  rows: readonly MessageRow[],
): Promise<MessageRow[]> {
  if (rows.length === 0) return []
  const values = rows.flatMap((row) => MESSAGE_COLUMNS.map((name) => row[name]))
  const found = await session.query<ReferenceRow>(getMessagesInsert(rows.length), values)
  const free = new Set(getReferences(found))
  // A reference that occurs twice was inserted with the first row that has it.
  const inserted = rows.filter(({ reference }) => free.delete(reference))
  if (inserted.length === 0) return []
  const { now } = session
  const queued = inserted.flatMap(({ reference, status }) => {
    return [reference, status === 'new' ? now : null, now, 0]
  })
  await session.change(getOutboxInsert(inserted.length), queued)
  return inserted
}

export async function hasReference(session: Session, reference: string): Promise<boolean> {
  return (
    (await session.query('SELECT 1 FROM messages WHERE reference = $1', [reference])).length > 0
  )
}

export async function find(session: Session, reference: string): Promise<Message | undefined> {
  const sql = 'SELECT * FROM messages WHERE reference = $1'
  const [row] = await session.query<MessageRow>(sql, [reference])
  return row && toMessage(row)
}

const ORDERS = {
  'newest-first': { comparison: '<', direction: 'DESC', start: Number.MAX_SAFE_INTEGER },
  'oldest-first': { comparison: '>', direction: 'ASC', start: Number.MIN_SAFE_INTEGER },
}

export async function list(
  session: Session,
  { limit, order, status, after }: ListQuery,
): Promise<Message[]> {
  const { comparison, direction, start } = ORDERS[order]
  const receivedAt = after ? Date.parse(after.receivedAt) : start
  const rows = await session.query<MessageRow>(
    `SELECT * FROM messages
    WHERE (received_at, reference) ${comparison} ($1, $2) ${status ? 'AND status = $4' : ''}
    ORDER BY received_at ${direction}, reference ${direction} LIMIT $3`,
    [receivedAt, after?.reference ?? '', limit, ...(status ? [status] : [])],
  )
  return rows.map(toMessage)
}

/**
 * Stores messages under their references; only `new` ones will be mailed. `different` lists
 * references that this store uses for other content.
 */
export async function importMessages(session: Session, messages: Message[]) {
  const total = { imported: 0, present: 0, different: [] as string[] }
  for (let start = 0; start < messages.length; start += MAX_INSERT_ROWS) {
    const rows = messages
      .slice(start, start + MAX_INSERT_ROWS)
      .map((message) => toRow(message, Date.parse(message.receivedAt)))
    const inserted = new Set(await insertMessages(session, rows))
    const rest = rows.filter((row) => !inserted.has(row))
    const different = await findDifferent(session, rest)
    total.imported += inserted.size
    total.present += rest.length - different.length
    total.different.push(...different)
  }
  return total
}

async function findDifferent(session: Session, rows: MessageRow[]): Promise<string[]> {
  if (rows.length === 0) return []
  const references = getReferences(rows)
  const kept = await session.query<Pick<MessageRow, 'reference' | 'content_hash'>>(
    `SELECT reference, content_hash FROM messages WHERE reference IN (${toPlaceholders(references.length)})`,
    references,
  )
  const hashes = new Map(kept.map(({ reference, content_hash }) => [reference, content_hash]))
  return getReferences(rows.filter((row) => hashes.get(row.reference) !== row.content_hash))
}

/** Records in the audit table that data was read or changed; never holds a visitor's text. */
export async function audit(session: Session, action: string, subject: string): Promise<void> {
  await noteInAudit(session, action, [subject])
}

export async function noteInAudit(
  session: Session,
  action: string,
  subjects: string[],
): Promise<void> {
  if (subjects.length === 0) return
  const clause = toValuesClause(subjects.length, 3)
  const values = subjects.flatMap((subject) => [session.now, action, subject])
  await session.change(`INSERT INTO audit (noted_at, action, subject) ${clause}`, values)
}
