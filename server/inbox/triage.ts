import type { Store } from './store.ts'

// One order prevents deadlocks: the row of the outbox is changed before that of its message, everywhere. Transactions that
// change many messages exclude each other by the lock `many messages`.

/** The message is genuine: it is mailed, and kept like any other. False if it is not in quarantine. */
export function release(store: Store, reference: string): Promise<boolean> {
  return store.transaction(async (db) => {
    const queued = await db.change(
      `UPDATE outbox SET due_at = $1, queued_at = $1 WHERE reference = $2
        AND EXISTS (SELECT 1 FROM messages WHERE reference = $2 AND status = 'quarantined')`,
      [db.now, reference],
    )
    if (queued === 0) return false
    const sql = "UPDATE messages SET status = 'new', trapped = '' WHERE reference = $1"
    await db.change(sql, [reference])
    return true
  })
}

/** Makes the mail of a waiting or dead message due at once, or of all, unless it is being sent. Resolves to their number. */
export function retry(store: Store, reference = ''): Promise<number> {
  return store.transaction(async (db) => {
    await db.lock('many messages')
    const queued = await db.change(
      `UPDATE outbox SET due_at = $1, attempts = 0, token = NULL
      WHERE reference IS NOT NULL AND due_at IS NOT NULL AND (token IS NULL OR due_at <= $1)
        AND ($2 = '' OR reference = $2)`,
      [db.now, reference],
    )
    await db.change(
      `UPDATE messages SET status = 'new' WHERE status = 'dead'
        AND reference IN (SELECT reference FROM outbox WHERE due_at = $1)`,
      [db.now],
    )
    return queued
  })
}

/** The firm has dealt with the message: it is not mailed any more. False if there is no such message. */
export function archive(store: Store, reference: string): Promise<boolean> {
  return store.transaction(async (db) => {
    const queue = 'UPDATE outbox SET due_at = NULL, token = NULL WHERE reference = $1'
    const archived = await db.change(queue, [reference])
    await db.change("UPDATE messages SET status = 'archived' WHERE reference = $1", [reference])
    return archived > 0
  })
}
