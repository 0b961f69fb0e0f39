import type { DatabaseSync } from 'node:sqlite'
import { toMailbox } from '../mailbox.ts'
import { DAY, MAX_HIT_LIFETIME_MS, RECEIPT_LIFETIME } from '../message-row.ts'
import type { Operations } from '../operations.ts'

type EraseOperations = Pick<Operations, 'eraseReference' | 'eraseEmail' | 'purge' | 'scrub'>

/** Rows that hang on a message go with it; `secure_delete` overwrites what they held. */
export function createEraseOperations(database: DatabaseSync): EraseOperations {
  const eraseReference = database.prepare('DELETE FROM messages WHERE reference = ?')
  const eraseEmail = database.prepare(`
    DELETE FROM messages
    WHERE reference IN (SELECT reference FROM messages WHERE mailbox = ? LIMIT ?)
    RETURNING reference`)
  const note = database.prepare(
    "INSERT INTO audit (noted_at, action, subject) VALUES (?, 'erase', ?)",
  )
  const listUnfolded = database.prepare(
    'SELECT reference, email FROM messages WHERE mailbox IS NULL LIMIT ?',
  )
  const setMailbox = database.prepare('UPDATE messages SET mailbox = ? WHERE reference = ?')
  const createPurge = (which: string) =>
    database.prepare(`
      DELETE FROM messages WHERE reference IN (SELECT reference FROM messages
        WHERE ${which} AND received_at <= ? ORDER BY received_at LIMIT ?)`)
  const purgeQuarantined = createPurge("status = 'quarantined'")
  const purgeRest = createPurge("status <> 'quarantined'")
  const purgeOthers = {
    receipts: database.prepare(`
      DELETE FROM receipts WHERE (fingerprint, address, idempotency_key) IN (
        SELECT fingerprint, address, idempotency_key FROM receipts WHERE received_at <= ? LIMIT ?)`),
    hits: database.prepare(
      'DELETE FROM hits WHERE id IN (SELECT id FROM hits WHERE expires_at <= ? OR expires_at > ? LIMIT ?)',
    ),
    audit: database.prepare(
      'DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE noted_at <= ? LIMIT ?)',
    ),
    digests: database.prepare(`
      DELETE FROM digests
      WHERE date IN (SELECT date FROM digests WHERE confirmed_at <= ? LIMIT ?)`),
  }

  /** Fills the column mailbox of messages from an older build; returns how many. */
  function foldMailboxes(limit: number): number {
    const rows = listUnfolded.all(limit)
    for (const { reference, email } of rows) {
      setMailbox.run(toMailbox(String(email)), String(reference))
    }
    return rows.length
  }

  return {
    eraseReference(reference, now) {
      if (eraseReference.run(reference).changes === 0) return false
      note.run(now, reference)
      return true
    },

    eraseEmail(email, limit, now) {
      const folded = foldMailboxes(limit)
      const rows = eraseEmail.all(toMailbox(email), limit)
      const references = rows.map(({ reference }) => String(reference))
      for (const reference of references) note.run(now, reference)
      return { references, more: [folded, references.length].includes(limit) }
    },

    purge({ retentionDays, quarantineDays }, limit, now) {
      const others = now - retentionDays * DAY
      const rows = [
        purgeOthers.receipts.run(now - RECEIPT_LIFETIME, limit),
        purgeOthers.hits.run(now, now + MAX_HIT_LIFETIME_MS, limit),
        purgeOthers.audit.run(others, limit),
        purgeOthers.digests.run(others, limit),
      ].map(({ changes }) => Number(changes))
      const quarantined = Number(purgeQuarantined.run(now - quarantineDays * DAY, limit).changes)
      const messages = quarantined + Number(purgeRest.run(others, limit - quarantined).changes)
      return { messages, more: [messages, ...rows].includes(limit) }
    },

    scrub(rewrite) {
      if (rewrite) database.exec('VACUUM')
      const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {}
      return busy === 0 ? 'scrubbed' : 'busy'
    },
  }
}
