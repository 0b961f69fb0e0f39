import type { DatabaseSync } from 'node:sqlite'
import type { Operations } from '../operations.ts'
import { DAY, RECEIPT_LIFETIME } from '../record.ts'

type EraseOperations = Pick<Operations, 'eraseReference' | 'eraseEmail' | 'purge' | 'scrub'>

/** Rows that hang on a message go with it; `secure_delete` overwrites what they held. */
export function createEraseOperations(database: DatabaseSync): EraseOperations {
  const eraseReference = database.prepare('DELETE FROM messages WHERE reference = ?')
  const eraseEmail = database.prepare(`
    DELETE FROM messages
    WHERE reference IN (SELECT reference FROM messages WHERE lower(email) = lower(?) LIMIT ?)
    RETURNING reference`)
  const purgeMessages = database.prepare(`
    DELETE FROM messages WHERE reference IN (
      SELECT reference FROM messages WHERE status = 'quarantined' AND received_at <= :quarantined
      UNION SELECT reference FROM (SELECT reference FROM messages
        WHERE status <> 'quarantined' AND received_at <= :others ORDER BY received_at LIMIT :limit)
      LIMIT :limit)`)
  const purgeOthers = {
    receipts: database.prepare(`
      DELETE FROM receipts WHERE (fingerprint, address, idempotency_key) IN (
        SELECT fingerprint, address, idempotency_key FROM receipts WHERE received_at <= ? LIMIT ?)`),
    hits: database.prepare(
      'DELETE FROM hits WHERE id IN (SELECT id FROM hits WHERE expires_at <= ? LIMIT ?)',
    ),
    audit: database.prepare(
      'DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE noted_at <= ? LIMIT ?)',
    ),
    digests: database.prepare(`
      DELETE FROM digests
      WHERE date IN (SELECT date FROM digests WHERE confirmed_at <= ? LIMIT ?)`),
  }

  return {
    eraseReference(reference) {
      return eraseReference.run(reference).changes === 1
    },

    eraseEmail(email, limit) {
      return eraseEmail.all(email, limit).map(({ reference }) => String(reference))
    },

    purge({ retentionDays, quarantineDays }, limit, now) {
      const others = now - retentionDays * DAY
      purgeOthers.receipts.run(now - RECEIPT_LIFETIME, limit)
      purgeOthers.hits.run(now, limit)
      purgeOthers.audit.run(others, limit)
      purgeOthers.digests.run(others, limit)
      const quarantined = now - quarantineDays * DAY
      return Number(purgeMessages.run({ quarantined, others, limit }).changes)
    },

    scrub() {
      const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {}
      return busy === 0 ? 'scrubbed' : 'busy'
    },
  }
}
