/** `key` compares byte by byte. A `freshId` is never used twice. `table` and `clusteredTable` follow the columns. */
type SchemaWords = Record<
  'key' | 'integer' | 'smallInteger' | 'id' | 'freshId' | 'table' | 'clusteredTable',
  string
>

/** Migration n upgrades the database from version n to n + 1. Never change a published migration: append one. */
function createMigrations(words: SchemaWords): readonly string[] {
  const { key, integer, smallInteger, id, freshId, table, clusteredTable } = words
  return [
    `
    CREATE TABLE messages (
      reference ${key} PRIMARY KEY,
      received_at ${integer} NOT NULL,
      status ${key} NOT NULL,
      trapped TEXT NOT NULL,
      first_name TEXT NOT NULL,
      last_name TEXT NOT NULL,
      email TEXT NOT NULL,
      mailbox ${key} NOT NULL,
      service TEXT NOT NULL,
      message TEXT NOT NULL,
      language TEXT NOT NULL,
      content_hash TEXT NOT NULL
    ) ${table};
    CREATE INDEX messages_by_time ON messages (received_at, reference);
    CREATE INDEX messages_by_status ON messages (status, received_at, reference);
    CREATE INDEX messages_by_mailbox ON messages (mailbox);

    CREATE TABLE outbox (
      id ${key} PRIMARY KEY, -- the message's reference; since migration 3, 'letter' for the daily letter
      reference ${key} UNIQUE REFERENCES messages (reference) ON DELETE CASCADE, -- null: a daily letter
      due_at ${integer}, -- also the end of a lease; null: nothing is to be mailed
      queued_at ${integer} NOT NULL, -- when the message was stored (also if it is not to be mailed), released or retried
      attempts ${smallInteger} NOT NULL,
      token TEXT
    ) ${clusteredTable};
    CREATE INDEX outbox_by_due ON outbox (due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX outbox_leased ON outbox (due_at) WHERE token IS NOT NULL;
    CREATE INDEX outbox_by_queued ON outbox (queued_at) WHERE due_at IS NOT NULL;

    CREATE TABLE attempts (
      id ${id},
      mail_id ${key} NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
      tried_at ${integer} NOT NULL,
      outcome TEXT NOT NULL,
      detail TEXT NOT NULL
    ) ${table};
    CREATE INDEX attempts_by_mail ON attempts (mail_id);
    CREATE INDEX attempts_mailed ON attempts (tried_at) WHERE outcome = 'mailed';

    CREATE TABLE receipts (
      fingerprint ${key} NOT NULL,
      address TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      reference ${key} NOT NULL REFERENCES messages (reference) ON DELETE CASCADE,
      received_at ${integer} NOT NULL,
      PRIMARY KEY (fingerprint, address, idempotency_key)
    ) ${clusteredTable};
    CREATE INDEX receipts_by_time ON receipts (received_at);
    CREATE INDEX receipts_by_reference ON receipts (reference);

    CREATE TABLE hits (
      id ${freshId},
      address TEXT NOT NULL,
      hit_at ${integer} NOT NULL
    ) ${table};
    CREATE INDEX hits_by_address ON hits (address, hit_at);
    CREATE INDEX hits_by_time ON hits (hit_at);

    CREATE TABLE audit (
      id ${id},
      noted_at ${integer} NOT NULL,
      action TEXT NOT NULL,
      subject TEXT NOT NULL
    ) ${table};
    CREATE INDEX audit_by_time ON audit (noted_at);
    `,
    `
    -- Of a daily letter: it reports all messages until then. Before, queued_at had this time.
    ALTER TABLE outbox ADD COLUMN reported_until ${integer};
    UPDATE outbox SET reported_until = queued_at WHERE reference IS NULL;
    `,
    `
    ALTER TABLE messages DROP COLUMN content_hash;
    ALTER TABLE messages ADD COLUMN expired_at ${integer}; -- when retention first found the message expired

    CREATE TABLE client_errors (
      day ${key} PRIMARY KEY, -- YYYY-MM-DD, in Toronto
      number ${integer} NOT NULL,
      reported ${integer} NOT NULL -- how many of them a daily letter has reported
    ) ${clusteredTable};

    -- The daily letter is one row: due_at is when the next one leaves, queued_at the time until which the last one reports.
    INSERT INTO outbox (id, due_at, queued_at, attempts)
      SELECT 'letter', max(reported_until) + 86400000, max(reported_until), 0 FROM outbox
      WHERE reference IS NULL AND id IN (SELECT mail_id FROM attempts WHERE outcome = 'mailed')
      HAVING max(reported_until) IS NOT NULL;
    DELETE FROM outbox WHERE reference IS NULL AND id <> 'letter';

    -- A message that was given up is tried again each day, so it is due too.
    UPDATE outbox SET due_at = queued_at
      WHERE reference IN (SELECT reference FROM messages WHERE status = 'dead');
    DELETE FROM audit WHERE action <> 'erase';
    `,
  ]
}

export const SQLITE_MIGRATIONS = createMigrations({
  key: 'TEXT',
  integer: 'INTEGER',
  smallInteger: 'INTEGER',
  id: 'INTEGER PRIMARY KEY',
  freshId: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  table: 'STRICT',
  clusteredTable: 'STRICT, WITHOUT ROWID',
})

const POSTGRES_ID = 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY'
export const POSTGRES_MIGRATIONS = createMigrations({
  key: 'text COLLATE "C"',
  integer: 'bigint',
  smallInteger: 'integer',
  id: POSTGRES_ID,
  freshId: POSTGRES_ID,
  table: '',
  clusteredTable: '',
})
