import { toMailbox } from '../mailbox.ts'
import { DAY, MAX_HIT_LIFETIME_MS, RECEIPT_LIFETIME } from '../message-row.ts'
import type { PostgresOperations } from './operations.ts'
import type { Session } from './session.ts'

function purgeMessages(session: Session, which: string, until: number, limit: number) {
  return session.change(
    `DELETE FROM messages WHERE reference IN (SELECT reference FROM messages
      WHERE ${which} AND received_at <= $1 ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [until, limit],
  )
}

function purgeRows(
  session: Session,
  table: string,
  time: string,
  until: number,
  limit: number,
  beyond = Number.MAX_SAFE_INTEGER,
) {
  return session.change(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table}
      WHERE ${time} <= $1 OR ${time} > $3 LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    [until, limit, beyond],
  )
}

/** Deletes the messages that `which` selects and notes it; resolves to their references. */
async function eraseMessages(session: Session, which: string, values: unknown[], now: number) {
  const rows = await session.query<{ reference: string }>(
    `WITH erased AS (DELETE FROM messages WHERE ${which} RETURNING reference)
    INSERT INTO audit (noted_at, action, subject)
    SELECT $1, 'erase', reference FROM erased RETURNING subject AS reference`,
    [now, ...values],
  )
  return rows.map(({ reference }) => reference)
}

/** Completes messages that an older build kept; resolves to how many. */
async function foldMailboxes(session: Session, limit: number): Promise<number> {
  const rows = await session.query<{ reference: string; email: string }>(
    'SELECT reference, email FROM messages WHERE mailbox IS NULL LIMIT $1 FOR UPDATE',
    [limit],
  )
  return session.change(
    `UPDATE messages SET mailbox = folded.mailbox
    FROM unnest($1::text[], $2::text[]) AS folded (reference, mailbox)
    WHERE messages.reference = folded.reference`,
    [rows.map(({ reference }) => reference), rows.map(({ email }) => toMailbox(email))],
  )
}

/** Rows that hang on a message go with it. */
export const ERASE_OPERATIONS: PostgresOperations<
  'eraseReference' | 'eraseEmail' | 'purge' | 'scrub'
> = {
  async eraseReference(session, reference, now) {
    return (await eraseMessages(session, 'reference = $2', [reference], now)).length > 0
  },

  async eraseEmail(session, email, limit, now) {
    const folded = await foldMailboxes(session, limit)
    const which = `reference IN (SELECT reference FROM messages
      WHERE mailbox = $2 ORDER BY reference LIMIT $3 FOR UPDATE)`
    const references = await eraseMessages(session, which, [toMailbox(email), limit], now)
    return { references, more: [folded, references.length].includes(limit) }
  },

  async purge(session, { retentionDays, quarantineDays }, limit, now) {
    const others = now - retentionDays * DAY
    const rows = [
      await purgeRows(session, 'receipts', 'received_at', now - RECEIPT_LIFETIME, limit),
      await purgeRows(session, 'hits', 'expires_at', now, limit, now + MAX_HIT_LIFETIME_MS),
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
