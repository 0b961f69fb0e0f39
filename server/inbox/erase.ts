import type { RetentionPeriods } from '../../shared/retention.ts'
import { DAY_MS } from './clock.ts'
import type { Database, SqlValue } from './driver.ts'
import { noteErased } from './erased-list.ts'
import { REPEAT_MS } from './keep-message.ts'
import { toMailbox } from './message.ts'
import type { Store } from './store.ts'

/** Erases messages with their rows in other tables; resolves to their references. */
export async function eraseWhere(
  db: Database,
  where: string,
  values: SqlValue[],
): Promise<string[]> {
  await db.lock('many messages')
  const erased = await db.query<{ reference: string }>(
    `DELETE FROM outbox WHERE reference IN (SELECT reference FROM messages WHERE ${where})
    RETURNING reference`,
    values,
  )
  const references = erased.map(({ reference }) => reference)
  for (const reference of references)
    await db.change('DELETE FROM messages WHERE reference = $1', [reference])
  return references
}

/** True for messages that somebody erased, which an older copy of the store brought back. */
export const WAS_ERASED = "reference IN (SELECT subject FROM audit WHERE action = 'erase')"

/** Erases a message, or all of a mailbox, and notes the references. Resolves to their number. */
export function eraseMessages(store: Store, given: { reference?: string; email?: string }) {
  const { reference = '', email } = given
  return store.transaction(async (db) => {
    const mailbox = email ? toMailbox(email) : null
    const erased = await eraseWhere(db, 'reference = $1 OR mailbox = $2', [reference, mailbox])
    await noteErased(db, erased)
    return erased.length
  })
}

/** Archiving does not make a message genuine; a release does, and empties `trapped`. */
export const IS_EXPIRED = `received_at <= CASE
  WHEN status = 'quarantined' OR (status = 'archived' AND trapped <> '')
  THEN CAST($1 AS bigint) ELSE CAST($2 AS bigint) END`

/**
 * Erases what has expired. A message goes only a day after it was first found expired: if it was stored while the clock was
 * far behind, somebody can still mend that. `waiting` is the number of those.
 */
export function purge(store: Store, { retentionDays, quarantineDays }: RetentionPeriods) {
  return store.transaction(async (db) => {
    const { now } = db
    const [quarantined, retained] = [now - quarantineDays * DAY_MS, now - retentionDays * DAY_MS]
    const isDue = `expired_at <= $3 AND ${IS_EXPIRED}`
    const erased = await eraseWhere(db, isDue, [quarantined, retained, now - DAY_MS])
    await db.change(
      `UPDATE messages SET expired_at = NULL
      WHERE expired_at > $3 OR (expired_at IS NOT NULL AND NOT ${IS_EXPIRED})`,
      [quarantined, retained, now],
    )
    await db.change(
      `UPDATE messages SET expired_at = $3 WHERE expired_at IS NULL AND ${IS_EXPIRED}`,
      [quarantined, retained, now],
    )
    // A time that is ahead comes from a wrong clock.
    const repeatable = [now - REPEAT_MS, now + REPEAT_MS]
    await db.change('DELETE FROM hits WHERE hit_at <= $1 OR hit_at > $2', repeatable)
    await db.change('DELETE FROM receipts WHERE received_at <= $1 OR received_at > $2', repeatable)
    await db.change('DELETE FROM audit WHERE noted_at <= $1', [retained])
    const sql = 'SELECT count(expired_at) AS waiting FROM messages'
    const [row] = await db.query<{ waiting: number }>(sql)
    return { erased: erased.length, waiting: Number(row?.waiting) }
  })
}

/** Removes what SQLite's files still hold of erased text: in the WAL, and in pages that SQLite has split. */
export async function removeTraces(store: Store): Promise<void> {
  const isDone = await store.sqlite?.((database) => {
    // This wait blocks the process, so it is for the inbox command alone.
    database.exec('PRAGMA busy_timeout = 5000; VACUUM')
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
  })
  if (isDone === false)
    throw new Error(
      'The files may still hold erased text: other programs use them. Run purge later.',
    )
}
