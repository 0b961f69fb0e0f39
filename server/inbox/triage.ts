import { WHOLE_STORE_TIMEOUT_MS } from './messages.ts'
import type { Database, Store } from './store.ts'

async function findStatus(db: Database, reference: string): Promise<string | undefined> {
  // In the same order as settleMail, so that neither waits for the other for ever.
  await db.lock(`message ${reference}`)
  const [row] = await db.query<{ status: string }>(
    'SELECT status FROM messages WHERE reference = $1',
    [reference],
  )
  return row?.status
}

/** The message is genuine: it is mailed, and kept like any other. */
export function release(store: Store, reference: string) {
  return store.transaction(async (db) => {
    const status = await findStatus(db, reference)
    if (status === undefined) return 'unknown'
    if (status !== 'quarantined') return 'not-quarantined'
    await db.change("UPDATE messages SET status = 'new', trapped = '' WHERE reference = $1", [
      reference,
    ])
    await db.change('UPDATE outbox SET due_at = $1, queued_at = $1 WHERE reference = $2', [
      db.now,
      reference,
    ])
    return 'released'
  })
}

/** Rows of the outbox that wait, and whose mail is not being sent. */
const WAITS = 'reference IS NOT NULL AND due_at IS NOT NULL AND (token IS NULL OR due_at <= $1)'

/** Makes the mail of a dead or waiting message due at once, or of all of them. Resolves to their number. */
async function requeue(db: Database, reference: string): Promise<number> {
  const rows = `${WAITS} AND ($2 = '' OR reference = $2)`
  await db.change(
    `UPDATE messages SET status = 'new' WHERE status = 'dead'
      AND reference IN (SELECT reference FROM outbox WHERE ${rows})`,
    [db.now, reference],
  )
  return db.change(
    `UPDATE outbox SET due_at = $1, queued_at = $1, attempts = 0, token = NULL WHERE ${rows}`,
    [db.now, reference],
  )
}

export function retry(store: Store, reference: string) {
  return store.transaction(async (db) => {
    if ((await findStatus(db, reference)) === undefined) return 'unknown'
    return (await requeue(db, reference)) > 0 ? 'retried' : 'not-waiting'
  })
}

export function retryAll(store: Store): Promise<number> {
  return store.transaction((db) => requeue(db, ''), { timeoutMs: WHOLE_STORE_TIMEOUT_MS })
}

export function archive(store: Store, reference: string) {
  return store.transaction(async (db) => {
    if ((await findStatus(db, reference)) === undefined) return 'unknown'
    await db.change("UPDATE messages SET status = 'archived' WHERE reference = $1", [reference])
    await db.change('UPDATE outbox SET due_at = NULL, token = NULL WHERE reference = $1', [
      reference,
    ])
    return 'archived'
  })
}
