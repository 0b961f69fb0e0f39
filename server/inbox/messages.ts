import type { Database } from './driver.ts'
import { findErased } from './erased-list.ts'
import { insertMessage, isQueued } from './keep-message.ts'
import {
  type Message,
  type MessageRow,
  type MessageStatus,
  toMailbox,
  toMessage,
  toRow,
} from './message.ts'
import type { Store } from './store.ts'

export async function selectMessage(db: Database, reference: string): Promise<Message | undefined> {
  const sql = 'SELECT * FROM messages WHERE reference = $1'
  const [row] = await db.query<MessageRow>(sql, [reference])
  return row && toMessage(row)
}

export function findMessage(store: Store, reference: string): Promise<Message | undefined> {
  return store.transaction((db) => selectMessage(db, reference), { readOnly: true })
}

export async function findLastAttempt(store: Store, reference: string) {
  const sql =
    'SELECT tried_at, outcome, detail FROM attempts WHERE mail_id = $1 ORDER BY id DESC LIMIT 1'
  const [attempt] = await store.transaction(
    (db) => db.query<{ tried_at: number; outcome: string; detail: string }>(sql, [reference]),
    { readOnly: true },
  )
  return attempt
}

export interface ListQuery {
  status?: MessageStatus
  /** Finds a mailbox in every spelling of its address. */
  email?: string
}

/** The oldest first. */
export async function listMessages(store: Store, query: ListQuery): Promise<Message[]> {
  const { status = '', email = '' } = query
  const sql = `SELECT * FROM messages WHERE ($1 = '' OR status = $1) AND ($2 = '' OR mailbox = $2)
    ORDER BY received_at, reference`
  const rows = await store.transaction(
    (db) => db.query<MessageRow>(sql, [status, toMailbox(email)]),
    { readOnly: true },
  )
  return rows.map(toMessage)
}

/** Imports an export; a second run changes nothing. An older export must not bring back what somebody erased here. */
export function importMessages(store: Store, messages: readonly Message[]) {
  return store.transaction(async (db) => {
    await db.lock('many messages')
    const result = { imported: 0, present: 0, erased: [] as string[] }
    const erased = await findErased(db)
    for (const message of messages) {
      const { reference } = message
      if (erased.has(reference)) {
        result.erased.push(reference)
        continue
      }
      const stored = await selectMessage(db, reference)
      if (stored) await bringForward(db, stored, message)
      else await insertMessage(db, toRow(message, Date.parse(message.receivedAt)))
      result[stored ? 'present' : 'imported'] += 1
    }
    return result
  })
}

const PROGRESS: readonly MessageStatus[] = ['quarantined', 'dead', 'new', 'mailed', 'archived']

/** A message may have been handled since the backup that this store comes from. */
async function bringForward(db: Database, stored: Message, exported: Message): Promise<void> {
  const { reference, status, trapped } = exported
  if (PROGRESS.indexOf(status) <= PROGRESS.indexOf(stored.status)) return
  const outbox = 'UPDATE outbox SET due_at = $1, token = NULL WHERE reference = $2'
  await db.change(outbox, [isQueued(exported) ? db.now : null, reference])
  const message = 'UPDATE messages SET status = $1, trapped = $2 WHERE reference = $3'
  await db.change(message, [status, trapped.join(','), reference])
}
