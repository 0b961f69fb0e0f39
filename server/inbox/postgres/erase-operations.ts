import { DAY, RECEIPT_LIFETIME } from '../record.ts'
import type { PostgresOperations } from './operations.ts'
import type { Session } from './session.ts'

function purgeMessages(session: Session, which: string, until: number, limit: number) {
  return session.change(
    `DELETE FROM messages WHERE reference IN (SELECT reference FROM messages
      WHERE ${which} AND received_at <= $1 ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [until, limit],
  )
}

function purgeRows(session: Session, table: string, time: string, until: number, limit: number) {
  return session.change(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table}
      WHERE ${time} <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    [until, limit],
  )
}

/** Rows that hang on a message go with it. */
export const ERASE_OPERATIONS: PostgresOperations<
  'eraseReference' | 'eraseEmail' | 'purge' | 'scrub'
> = {
  async eraseReference(session, reference) {
    return (await session.change('DELETE FROM messages WHERE reference = $1', [reference])) === 1
  },

  async eraseEmail(session, email, limit) {
    const rows = await session.query<{ reference: string }>(
      `DELETE FROM messages WHERE reference IN (SELECT reference FROM messages
        WHERE lower(email) = lower($1) ORDER BY reference LIMIT $2 FOR UPDATE)
      RETURNING reference`,
      [email, limit],
    )
    return rows.map(({ reference }) => reference)
  },

  async purge(session, { retentionDays, quarantineDays }, limit, now) {
    const others = now - retentionDays * DAY
    const rows = [
      await purgeRows(session, 'receipts', 'received_at', now - RECEIPT_LIFETIME, limit),
      await purgeRows(session, 'hits', 'expires_at', now, limit),
      await purgeRows(session, 'audit', 'noted_at', others, limit),
      await purgeRows(session, 'digests', 'confirmed_at', others, limit),
    ]
    const which = "status = 'quarantined'"
    const quarantined = await purgeMessages(session, which, now - quarantineDays * DAY, limit)
    const rest = await purgeMessages(session, `NOT ${which}`, others, limit - quarantined)
    const messages = quarantined + rest
    return { messages, more: [messages, ...rows].includes(limit) }
  },

  async scrub() {
    return 'unsupported'
  },
}
