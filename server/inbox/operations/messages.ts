import type { BatchQuery } from '../batches.ts'
import type { Message, MessageStatus } from '../message.ts'
import {
  getReferences,
  hasContent,
  type MessageRow,
  type ReferenceRow,
  toMailbox,
  toMessage,
  toRow,
} from '../message-row.ts'
import type { Session } from '../session.ts'

export interface ListQuery extends BatchQuery<Pick<Message, 'receivedAt' | 'reference'>> {
  order: 'newest-first' | 'oldest-first'
  status?: MessageStatus
  email?: string
}

/** Inserts a message with its outbox row. Returns false if the reference is already in use. */
export async function insertMessage(session: Session, row: MessageRow): Promise<boolean> {
  const columns = Object.keys(row)
  const inserted = await session.change(
    `INSERT INTO messages (${columns.join(', ')})
    VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})
    ON CONFLICT (reference) DO NOTHING`,
    Object.values(row),
  )
  if (inserted === 0) return false
  const { now } = session
  await session.change(
    'INSERT INTO outbox (id, reference, due_at, queued_at, attempts) VALUES ($1, $1, $2, $3, 0)',
    [row.reference, row.status === 'new' ? now : null, now],
  )
  return true
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

export async function list(session: Session, { limit, order, status, email, after }: ListQuery) {
  const { comparison, direction, start } = ORDERS[order]
  const receivedAt = after ? Date.parse(after.receivedAt) : start
  const filters = { status, mailbox: email && toMailbox(email) }
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  const rows = await session.query<MessageRow>(
    `SELECT * FROM messages WHERE (received_at, reference) ${comparison} ($1, $2)
    ${given.map(([column], index) => `AND ${column} = $${index + 4}`).join(' ')}
    ORDER BY received_at ${direction}, reference ${direction} LIMIT $3`,
    [receivedAt, after?.reference ?? '', limit, ...given.map(([, value]) => String(value))],
  )
  return rows.map(toMessage)
}

/**
 * `different` lists the references under which the store already has other content, `erased` those of messages that
 * somebody erased here: an older export must not bring them back.
 */
export async function importMessages(session: Session, messages: Message[]) {
  const result = { imported: 0, present: 0, different: [] as string[], erased: [] as string[] }
  const erased = await findErased(session)
  for (const message of messages) {
    const row = toRow(message, Date.parse(message.receivedAt))
    if (erased.has(row.reference)) result.erased.push(row.reference)
    else if (await insertMessage(session, row)) result.imported += 1
    else if (await bringForward(session, row)) result.present += 1
    else result.different.push(row.reference)
  }
  if (result.imported > 0) await audit(session, 'import', `${result.imported} messages`)
  return result
}

/** Progress of a message, which an import takes over: it may have been handled since a backup. */
const PROGRESS = { quarantined: 0, new: 1, dead: 1, mailed: 2, archived: 3 }

/** Brings a stored message to the status of `row`, if that is further on. False: it has other content. */
async function bringForward(session: Session, row: MessageRow): Promise<boolean> {
  const sql = 'SELECT status, trapped, content_hash FROM messages WHERE reference = $1 FOR UPDATE'
  const [stored] = await session.query<MessageRow>(sql, [row.reference])
  // A release has emptied `trapped`.
  const isSame = stored && hasContent({ ...row, trapped: stored.trapped }, stored.content_hash)
  if (!isSame) return false
  if (PROGRESS[row.status] <= PROGRESS[stored.status]) return true
  const { reference, status, trapped, content_hash } = row
  await session.change(
    'UPDATE messages SET status = $1, trapped = $2, content_hash = $3 WHERE reference = $4',
    [status, trapped, content_hash, reference],
  )
  const due = status === 'new' ? session.now : null
  await session.change('UPDATE outbox SET due_at = $1, token = NULL WHERE reference = $2', [
    due,
    reference,
  ])
  return true
}

/** References of the messages that were erased by hand, not of those that expired. */
export async function findErased(session: Session): Promise<Set<string>> {
  const sql = "SELECT DISTINCT subject AS reference FROM audit WHERE action = 'erase'"
  return new Set(getReferences(await session.query<ReferenceRow>(sql)))
}

/** Records in the audit table that data was read or changed. Callers never pass a visitor's text. */
export async function audit(session: Session, action: string, subject: string): Promise<void> {
  const sql = 'INSERT INTO audit (noted_at, action, subject) VALUES ($1, $2, $3)'
  await session.change(sql, [session.now, action, subject])
}
