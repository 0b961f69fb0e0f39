import type { DatabaseSync } from 'node:sqlite'
import { InboxUnavailable } from '../inbox.ts'
import { transact } from './transact.ts'

/** The schema's history: number n brings a database from version n to n + 1. Only ever add. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE messages (
    reference TEXT PRIMARY KEY,
    received_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    trapped TEXT NOT NULL,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    email TEXT NOT NULL,
    service TEXT NOT NULL,
    message TEXT NOT NULL,
    language TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    read_at INTEGER
  ) STRICT;
  CREATE INDEX messages_by_time ON messages (received_at, reference);
  CREATE INDEX messages_by_status ON messages (status, received_at, reference);
  CREATE INDEX messages_by_email ON messages (lower(email));
  CREATE INDEX messages_unread ON messages (received_at, reference, status, read_at)
    WHERE read_at IS NULL AND status IN ('new', 'mailed');

  CREATE TABLE outbox (
    reference TEXT PRIMARY KEY REFERENCES messages (reference) ON DELETE CASCADE,
    due_at INTEGER, -- also the end of a lease; null: nothing is to be mailed
    queued_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    token TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX outbox_by_due ON outbox (due_at) WHERE due_at IS NOT NULL;

  CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    reference TEXT NOT NULL REFERENCES messages (reference) ON DELETE CASCADE,
    tried_at INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    detail TEXT NOT NULL
  ) STRICT;
  CREATE INDEX attempts_by_reference ON attempts (reference);

  CREATE TABLE receipts (
    fingerprint TEXT NOT NULL,
    address TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    reference TEXT NOT NULL REFERENCES messages (reference) ON DELETE CASCADE,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (fingerprint, address, idempotency_key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX receipts_by_time ON receipts (received_at);
  CREATE INDEX receipts_by_reference ON receipts (reference);

  CREATE TABLE hits (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    address TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX hits_by_address ON hits (address, expires_at);
  CREATE INDEX hits_by_expiry ON hits (expires_at);

  CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    noted_at INTEGER NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_by_time ON audit (noted_at);

  CREATE TABLE digests (
    date TEXT PRIMARY KEY,
    leased_until INTEGER NOT NULL,
    confirmed_at INTEGER
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE messages ADD COLUMN mailbox TEXT; -- null: kept by an older build, and not folded yet
  CREATE INDEX messages_by_mailbox ON messages (mailbox);
  DROP INDEX messages_by_email;
  `,
  `
  CREATE INDEX attempts_mailed ON attempts (tried_at) WHERE outcome = 'mailed';
  CREATE INDEX outbox_leased ON outbox (due_at) WHERE token IS NOT NULL;
  CREATE INDEX outbox_by_queued ON outbox (queued_at) WHERE due_at IS NOT NULL;
  `,
]

export function getVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

/** Brings a database up to date; throws InboxUnavailable when a newer build has written it. */
export function migrate(database: DatabaseSync, migrations = MIGRATIONS): void {
  while (getVersion(database) < migrations.length) {
    transact(database, () => {
      // Read again under the lock: another process may have been faster.
      const version = getVersion(database)
      const migration = migrations[version]
      if (migration) database.exec(`${migration}; PRAGMA user_version = ${version + 1}`)
    })
  }
  if (getVersion(database) > migrations.length) throw new InboxUnavailable('newer-build')
}
