import type { Message, MessageStatus } from './message.ts'
import { type MessageRow, toMailbox, toMessage, toRow } from './message-row.ts'
import type { Database, Store } from './store.ts'

/** Time for what the inbox command does with the whole store. */
export const WHOLE_STORE_TIMEOUT_MS = 10 * 60_000

/** Inserts a message with its outbox row. Returns false if the reference is already in use. */
export async function insertMessage(db: Database, row: MessageRow): Promise<boolean> {
  const columns = Object.keys(row)
  const inserted = await db.change(
    `INSERT INTO messages (${columns.join(', ')})
    VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})
    ON CONFLICT (reference) DO NOTHING`,
    Object.values(row),
  )
  if (inserted === 0) return false
  const isQueued = row.status === 'new' || row.status === 'dead'
  await db.change(
    'INSERT INTO outbox (id, reference, due_at, queued_at, attempts) VALUES ($1, $1, $2, $3, 0)',
    [row.reference, isQueued ? db.now : null, db.now],
  )
  return true
}

async function findRow(db: Database, reference: string): Promise<MessageRow | undefined> {
  const sql = 'SELECT * FROM messages WHERE reference = $1'
  const [row] = await db.query<MessageRow>(sql, [reference])
  return row
}

export function findMessage(store: Store, reference: string): Promise<Message | undefined> {
  return store.transaction(
    async (db) => {
      const row = await findRow(db, reference)
      return row && toMessage(row)
    },
    { readOnly: true },
  )
}

interface ListQuery {
  status?: MessageStatus
  email?: string
}

/** The messages with this status, of this mailbox in every spelling of its address; the oldest first. */
export function listMessages(store: Store, { status, email }: ListQuery): Promise<Message[]> {
  return store.transaction(
    async (db) => {
      const rows = await db.query<MessageRow>(
        `SELECT * FROM messages WHERE ($1 = '' OR status = $1) AND ($2 = '' OR mailbox = $2)
        ORDER BY received_at, reference`,
        [status ?? '', email ? toMailbox(email) : ''],
      )
      return rows.map(toMessage)
    },
    { readOnly: true, timeoutMs: WHOLE_STORE_TIMEOUT_MS },
  )
}

export interface Attempt {
  tried_at: number
  outcome: string
  /** The mail server's reply, or the error. Both may quote the visitor's message. */
  detail: string
}

export function findLastAttempt(store: Store, reference: string): Promise<Attempt | undefined> {
  return store.transaction(
    async (db) => {
      const [row] = await db.query<Attempt>(
        'SELECT tried_at, outcome, detail FROM attempts WHERE mail_id = $1 ORDER BY id DESC LIMIT 1',
        [reference],
      )
      return row
    },
    { readOnly: true },
  )
}

/**
 * Imports what an export holds; a second run changes nothing. `different` lists the references under which the store has
 * other content, `erased` those of messages that somebody erased here: an older export must not bring them back.
 */
export function importMessages(store: Store, messages: readonly Message[]) {
  return store.transaction(
    async (db) => {
      const result = { imported: 0, present: 0, different: [] as string[], erased: [] as string[] }
      const erased = await findErased(db)
      for (const message of messages) {
        const row = toRow(message, Date.parse(message.receivedAt))
        if (erased.has(row.reference)) result.erased.push(row.reference)
        else if (await insertMessage(db, row)) result.imported += 1
        else if (await bringForward(db, row)) result.present += 1
        else result.different.push(row.reference)
      }
      return result
    },
    { timeoutMs: WHOLE_STORE_TIMEOUT_MS },
  )
}

/** Progress of a message, which an import takes over: it may have been handled since a backup. */
const PROGRESS = { quarantined: 0, new: 1, dead: 1, mailed: 2, archived: 3 }

/** Brings a stored message to the status of `row`, if that is further on. False: it has other content. */
async function bringForward(db: Database, row: MessageRow): Promise<boolean> {
  const stored = await findRow(db, row.reference)
  // A release has emptied `trapped`.
  const hasSameContent = (Object.keys(row) as (keyof MessageRow)[])
    .filter((column) => column !== 'status' && column !== 'trapped')
    .every((column) => row[column] === stored?.[column])
  if (!stored || !hasSameContent) return false
  if (PROGRESS[row.status] <= PROGRESS[stored.status]) return true
  await db.change('UPDATE messages SET status = $1, trapped = $2 WHERE reference = $3', [
    row.status,
    row.trapped,
    row.reference,
  ])
  const isQueued = row.status === 'new' || row.status === 'dead'
  await db.change('UPDATE outbox SET due_at = $1, token = NULL WHERE reference = $2', [
    isQueued ? db.now : null,
    row.reference,
  ])
  return true
}

/** References of the messages that were erased by hand, not of those that expired. */
export async function findErased(db: Database): Promise<Set<string>> {
  const rows = await db.query<{ subject: string }>(
    "SELECT DISTINCT subject FROM audit WHERE action = 'erase'",
  )
  return new Set(rows.map(({ subject }) => subject))
}
