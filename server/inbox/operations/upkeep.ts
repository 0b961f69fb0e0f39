import type { BatchQuery } from '../batches.ts'
import { CLOCK_TOLERANCE_MS, MAX_RETRY_DELAY_MS } from '../clock.ts'
import { getReferences, hasContent, type MessageRow } from '../message-row.ts'
import type { Session, StoreFault } from '../session.ts'

const MAX_CONTRADICTIONS = 100

const CONTRADICTIONS = `
  SELECT messages.reference AS subject, CASE
    WHEN outbox.reference IS NULL THEN 'no-outbox-row'
    WHEN status = 'new' THEN 'new-not-queued'
    ELSE 'queued-not-new' END AS code
  FROM messages LEFT JOIN outbox ON outbox.reference = messages.reference
  WHERE outbox.reference IS NULL OR (status = 'new') <> (due_at IS NOT NULL)
  LIMIT ${MAX_CONTRADICTIONS}`

export const probe = (session: Session) => session.probe()

export async function findFaults(session: Session): Promise<StoreFault[]> {
  const damage = await session.findDamage()
  return [...damage, ...(await session.query<StoreFault>(CONTRADICTIONS))]
}

/** Compares the content of messages, in the order of their references, with the stored hashes. */
export async function checkHashes(session: Session, { limit, after = '' }: BatchQuery<string>) {
  const sql = 'SELECT * FROM messages WHERE reference > $1 ORDER BY reference LIMIT $2'
  const rows = await session.query<MessageRow>(sql, [after, limit])
  const broken = rows.filter((row) => !hasContent(row, row.content_hash))
  return { checked: getReferences(rows), broken: getReferences(broken) }
}

/** `rewrite` also removes erased text that SQLite left when it split pages, but locks the store for some seconds per GB. */
export const scrub = (session: Session, rewrite: boolean) => session.scrub(rewrite)

/** Copies the store to a new file while the site runs. Not for PostgreSQL, which has pg_dump. */
export const backup = (session: Session, path: string) => session.backUp(path, findFaults)

/** Corrects times of hits, receipts and mail that a clock stored while it was ahead. Resolves to the number of changes. */
export async function repairTimes(session: Session): Promise<number> {
  const { now } = session
  const ahead = now + CLOCK_TOLERANCE_MS
  const clamp = (table: string, column: string, rows = '') =>
    session.change(`UPDATE ${table} SET ${column} = $1 WHERE ${column} > $2 ${rows}`, [now, ahead])
  const changes = [
    await clamp('hits', 'hit_at'),
    await clamp('receipts', 'received_at'),
    await clamp('attempts', 'tried_at', "AND outcome = 'mailed'"),
    // Otherwise the days ahead would get no daily letter.
    await session.change(
      'DELETE FROM outbox WHERE reference IS NULL AND (queued_at > $1 OR reported_until > $1)',
      [ahead],
    ),
    await session.change(
      'UPDATE outbox SET due_at = $1 WHERE due_at > $2 OR (due_at IS NOT NULL AND queued_at > $3)',
      [now, ahead + MAX_RETRY_DELAY_MS, ahead],
    ),
    await clamp('outbox', 'queued_at', 'AND due_at IS NOT NULL'),
  ]
  return changes.reduce((sum, count) => sum + count)
}
