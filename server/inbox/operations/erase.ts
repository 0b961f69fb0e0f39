import type { RetentionPeriods } from '../../../shared/retention.ts'
import type { BatchQuery } from '../batches.ts'
import { DAY_MS } from '../clock.ts'
import { OperationRefused } from '../inbox-errors.ts'
import type { Session } from '../session.ts'
import { audit, findErased } from './messages.ts'
import { RECEIPT_LIFETIME_MS } from './submit.ts'

/** Deletes a message and, by foreign keys, its rows in other tables. `gone`: it was erased before. */
export async function eraseMessage(session: Session, reference: string) {
  const sql = 'DELETE FROM messages WHERE reference = $1'
  if ((await session.change(sql, [reference])) === 0) {
    return (await findErased(session)).has(reference) ? 'gone' : 'unknown'
  }
  await audit(session, 'erase', reference)
  return 'erased'
}

type Rule = [table: string, key: string, where: string, ...values: number[]]

/** Archiving does not make a message genuine; `release` does, and empties `trapped`. */
const SET_ASIDE = "(status = 'quarantined' OR (status = 'archived' AND trapped <> ''))"

/** The site's periods stand in the audit table, because the command may run without the settings of the site. */
async function agreePeriods(session: Session, given?: RetentionPeriods): Promise<RetentionPeriods> {
  const [noted] = await session.query<{ subject: string }>(
    "SELECT subject FROM audit WHERE action = 'periods' ORDER BY id DESC LIMIT 1",
  )
  const subject = given ? JSON.stringify(given) : noted?.subject
  if (!subject) throw new OperationRefused('NEVER_RUN', 'purge')
  if (subject !== noted?.subject) await audit(session, 'periods', subject)
  return JSON.parse(subject)
}

/**
 * Erases at most `limit` expired rows, locked ones excepted. Resolves to the table of each. The site gives its periods;
 * without them, those of the site that ran last hold.
 */
export async function purge(
  session: Session,
  given: RetentionPeriods | undefined,
  { limit }: BatchQuery<string>,
): Promise<string[]> {
  const { now } = session
  const { retentionDays, quarantineDays } = await agreePeriods(session, given)
  const retained = now - retentionDays * DAY_MS
  const quarantined = now - quarantineDays * DAY_MS
  const repeatable = now - RECEIPT_LIFETIME_MS
  const receiptKey = 'fingerprint, address, idempotency_key'
  const rules: Rule[] = [
    ['receipts', receiptKey, 'received_at <= $2', repeatable],
    ['hits', 'id', 'hit_at <= $2', repeatable],
    ['messages', 'reference', `received_at <= $2 AND ${SET_ASIDE}`, quarantined],
    ['messages', 'reference', `received_at <= $2 AND NOT (${SET_ASIDE})`, retained],
    ['audit', 'id', "noted_at <= $2 AND action <> 'periods'", retained],
    ['outbox', 'id', 'reference IS NULL AND queued_at <= $2', retained],
  ]
  const tables: string[] = []
  // The parameters of `where` start at $2.
  for (const [table, key, where, ...values] of rules) {
    const deleted = await session.change(
      `WITH chosen AS (
        SELECT ${key} FROM ${table} WHERE ${where} LIMIT $1 FOR UPDATE SKIP LOCKED
      )
      DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM chosen)`,
      [limit - tables.length, ...values],
    )
    tables.push(...Array<string>(deleted).fill(table))
  }
  const messages = tables.filter((table) => table === 'messages').length
  if (messages > 0) await audit(session, 'purge', `${messages} messages`)
  return tables
}
