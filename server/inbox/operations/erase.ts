import type { RetentionPeriods } from '../../../shared/page-state.ts'
import { CLOCK_TOLERANCE_MS, DAY_MS } from '../clock.ts'
import { getReferences, type ReferenceRow, toMailbox } from '../message-row.ts'
import type { Session, SqlValue } from '../session.ts'
import { audit } from './messages.ts'
import { MAX_HIT_LIFETIME_MS, RECEIPT_LIFETIME_MS } from './submit.ts'

/** Deletes messages and, by foreign keys, their rows in other tables. Records each deletion in the audit table. */
async function eraseMessages(session: Session, sql: string, values: SqlValue[]): Promise<string[]> {
  const rows = await session.query<ReferenceRow>(`${sql} RETURNING reference`, values)
  const references = getReferences(rows)
  for (const reference of references) await audit(session, 'erase', reference)
  return references
}

export async function eraseReference(session: Session, reference: string): Promise<boolean> {
  const sql = 'DELETE FROM messages WHERE reference = $1'
  return (await eraseMessages(session, sql, [reference])).length > 0
}

/** The address matches in any spelling. `more` means that some messages may be left. */
export async function eraseEmail(session: Session, email: string, limit: number) {
  const references = await eraseMessages(
    session,
    `WITH chosen AS (
      SELECT reference FROM messages WHERE mailbox = $1
      ORDER BY reference LIMIT $2 ${session.dialect.forUpdate}
    )
    DELETE FROM messages WHERE reference IN (SELECT reference FROM chosen)`,
    [toMailbox(email), limit],
  )
  return { references, more: references.length === limit }
}

/** Deletes at most `limit` rows; skips locked rows. The parameters of `where` start at $2. */
function deleteSome(
  session: Session,
  limit: number,
  [table, key, where, ...values]: [table: string, key: string, where: string, ...values: number[]],
): Promise<number> {
  return session.change(
    `WITH chosen AS (
      SELECT ${key} FROM ${table} WHERE ${where} LIMIT $1 ${session.dialect.forUpdateSkipLocked}
    )
    DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM chosen)`,
    [limit, ...values],
  )
}

const RECEIPT_KEY = 'fingerprint, address, idempotency_key'

/** Erases expired rows: at most `limit` messages and at most `limit` rows of each other table. */
export async function purge(
  session: Session,
  { retentionDays, quarantineDays }: RetentionPeriods,
  limit: number,
) {
  const { now } = session
  const retained = now - retentionDays * DAY_MS
  const quarantined = now - quarantineDays * DAY_MS
  const impossible = now + MAX_HIT_LIFETIME_MS
  const ahead = now + CLOCK_TOLERANCE_MS
  const receiptRule = 'received_at <= $2 OR received_at > $3'
  const deleteRows = (...rule: Parameters<typeof deleteSome>[2]) => deleteSome(session, limit, rule)
  const purgeMessages = (comparison: string, until: number, most: number) => {
    const where = `status ${comparison} 'quarantined' AND received_at <= $2 ORDER BY received_at`
    return deleteSome(session, most, ['messages', 'reference', where, until])
  }
  const rows = [
    await deleteRows('receipts', RECEIPT_KEY, receiptRule, now - RECEIPT_LIFETIME_MS, ahead),
    await deleteRows('hits', 'id', 'expires_at <= $2 OR expires_at > $3', now, impossible),
    await deleteRows('audit', 'id', 'noted_at <= $2', retained),
    await deleteRows('outbox', 'id', 'reference IS NULL AND queued_at <= $2', retained),
  ]
  const trapped = await purgeMessages('=', quarantined, limit)
  const messages = trapped + (await purgeMessages('<>', retained, limit - trapped))
  return { messages, more: [messages, ...rows].includes(limit) }
}
