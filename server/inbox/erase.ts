import type { RetentionPeriods } from '../../shared/retention.ts'
import { DAY_MS } from './clock.ts'
import { REPEAT_MS } from './keep-message.ts'
import { toMailbox } from './message-row.ts'
import { findErased, WHOLE_STORE_TIMEOUT_MS } from './messages.ts'
import type { Database, Store } from './store.ts'

/** Deletes a message and, by foreign keys, its rows in other tables, and notes its reference. */
async function erase(db: Database, reference: string): Promise<boolean> {
  await db.lock(`message ${reference}`)
  const deleted = await db.change('DELETE FROM messages WHERE reference = $1', [reference])
  if (deleted === 0) return false
  const sql = "INSERT INTO audit (noted_at, action, subject) VALUES ($1, 'erase', $2)"
  await db.change(sql, [db.now, reference])
  return true
}

/** `gone`: it was erased before. */
export function eraseMessage(store: Store, reference: string) {
  return store.transaction(async (db) => {
    if (await erase(db, reference)) return 'erased'
    return (await findErased(db)).has(reference) ? 'gone' : 'unknown'
  })
}

/** Resolves to the number of erased messages. */
export function eraseMailbox(store: Store, email: string): Promise<number> {
  return store.transaction(
    async (db) => {
      const rows = await db.query<{ reference: string }>(
        'SELECT reference FROM messages WHERE mailbox = $1',
        [toMailbox(email)],
      )
      for (const { reference } of rows) await erase(db, reference)
      return rows.length
    },
    { timeoutMs: WHOLE_STORE_TIMEOUT_MS },
  )
}

/** Archiving does not make a message genuine; `release` does, and empties `trapped`. */
const EXPIRED = `received_at <= CASE
  WHEN status = 'quarantined' OR (status = 'archived' AND trapped <> '') THEN CAST($1 AS bigint) ELSE CAST($2 AS bigint) END`

/**
 * Erases what has expired. A message goes only a day after it was first found expired: if it was stored while the clock was
 * far behind, somebody can still mend that. `waiting` is the number of those.
 */
export function purge(store: Store, { retentionDays, quarantineDays }: RetentionPeriods) {
  return store.transaction(
    async (db) => {
      const { now } = db
      const limits = [now - quarantineDays * DAY_MS, now - retentionDays * DAY_MS]
      await db.change(
        `UPDATE messages SET expired_at = NULL WHERE expired_at > $3 OR (expired_at > 0 AND NOT ${EXPIRED})`,
        [...limits, now],
      )
      const erased = await db.change('DELETE FROM messages WHERE expired_at <= $1', [now - DAY_MS])
      await db.change(
        `UPDATE messages SET expired_at = $3 WHERE expired_at IS NULL AND ${EXPIRED}`,
        [...limits, now],
      )
      const [row] = await db.query<{ waiting: number }>(
        'SELECT count(expired_at) AS waiting FROM messages',
      )
      // A time ahead comes from a wrong clock; no hit or receipt may count for longer.
      for (const [table, column] of [
        ['hits', 'hit_at'],
        ['receipts', 'received_at'],
      ]) {
        await db.change(`DELETE FROM ${table} WHERE ${column} <= $1 OR ${column} > $2`, [
          now - REPEAT_MS,
          now + REPEAT_MS,
        ])
      }
      await db.change('DELETE FROM audit WHERE noted_at <= $1', [now - retentionDays * DAY_MS])
      return { erased, waiting: row?.waiting ?? 0 }
    },
    { timeoutMs: WHOLE_STORE_TIMEOUT_MS },
  )
}
