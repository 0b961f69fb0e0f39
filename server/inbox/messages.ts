import {
  type Message,
  type MessageRow,
  type MessageStatus,
  toMailbox,
  toMessage,
  toRow,
} from './message.ts'
import type { Database, Store } from './store.ts'

/** Time for what the inbox command does with the whole store. */
export const WHOLE_STORE_TIMEOUT_MS = 10 * 60_000

const isQueued = ({ status }: MessageRow) => status === 'new' || status === 'dead'

/** Inserts a message with its outbox row. */
export async function insertMessage(db: Database, row: MessageRow): Promise<void> {
  const columns = Object.keys(row)
  await db.change(
    `INSERT INTO messages (${columns.join(', ')})
    VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  )
  await db.change(
    'INSERT INTO outbox (id, reference, due_at, queued_at, attempts) VALUES ($1, $1, $2, $3, 0)',
    [row.reference, isQueued(row) ? db.now : null, db.now],
  )
}

export function findMessage(store: Store, reference: string): Promise<Message | undefined> {
  return store.transaction((db) => selectMessage(db, reference), { readOnly: true })
}

export async function selectMessage(db: Database, reference: string): Promise<Message | undefined> {
  const sql = 'SELECT * FROM messages WHERE reference = $1'
  const [row] = await db.query<MessageRow>(sql, [reference])
  return row && toMessage(row)
}

/** The messages with this status, of this mailbox in every spelling of its address; the oldest first. */
export function listMessages(
  store: Store,
  { status = '', email = '' }: { status?: MessageStatus | ''; email?: string },
): Promise<Message[]> {
  return store.transaction(
    async (db) => {
      const rows = await db.query<MessageRow>(
        `SELECT * FROM messages WHERE ($1 = '' OR status = $1) AND ($2 = '' OR mailbox = $2)
        ORDER BY received_at, reference`,
        [status, toMailbox(email)],
      )
      return rows.map(toMessage)
    },
    { readOnly: true, timeoutMs: WHOLE_STORE_TIMEOUT_MS },
  )
}

export function findLastAttempt(store: Store, reference: string) {
  return store.transaction(
    async (db) => {
      const [attempt] = await db.query<{ tried_at: number; outcome: string; detail: string }>(
        'SELECT tried_at, outcome, detail FROM attempts WHERE mail_id = $1 ORDER BY id DESC LIMIT 1',
        [reference],
      )
      return attempt
    },
    { readOnly: true },
  )
}

/** Statuses that come before: an import brings a message forward, because it may have been handled since a backup. */
const EARLIER: Record<MessageStatus, string> = {
  quarantined: "''",
  new: "'quarantined'",
  dead: "'quarantined'",
  mailed: "'quarantined', 'new', 'dead'",
  archived: "'quarantined', 'new', 'dead', 'mailed'",
}

/** Imports an export; a second run changes nothing. An older export must not bring back what somebody erased here. */
export function importMessages(store: Store, messages: readonly Message[]) {
  return store.transaction(
    async (db) => {
      const result = { imported: 0, present: 0, erased: [] as string[] }
      const erased = await listErased(db)
      for (const message of messages) {
        const { reference } = message
        const row = toRow(message, Date.parse(message.receivedAt))
        if (erased.includes(reference)) result.erased.push(reference)
        else if (await selectMessage(db, reference)) {
          result.present += 1
          await bringForward(db, row)
        } else {
          result.imported += 1
          await insertMessage(db, row)
        }
      }
      return result
    },
    { timeoutMs: WHOLE_STORE_TIMEOUT_MS },
  )
}

async function bringForward(db: Database, row: MessageRow): Promise<void> {
  const { reference, status, trapped } = row
  const changed = await db.change(
    `UPDATE messages SET status = $1, trapped = $2
    WHERE reference = $3 AND status IN (${EARLIER[status]})`,
    [status, trapped, reference],
  )
  if (changed === 0) return
  const due = isQueued(row) ? db.now : null
  const sql = 'UPDATE outbox SET due_at = $1, token = NULL WHERE reference = $2'
  await db.change(sql, [due, reference])
}

/** References of the messages that were erased by hand, not of those that expired. */
export async function listErased(db: Database): Promise<string[]> {
  const sql = "SELECT DISTINCT subject FROM audit WHERE action = 'erase'"
  const rows = await db.query<{ subject: string }>(sql)
  return rows.map(({ subject }) => subject)
}
