/** `key` compares byte by byte. A `freshId` is never used twice. `table` and `clusteredTable` follow the columns. */
type SchemaWords = Record<'key' | 'integer' | 'id' | 'freshId' | 'table' | 'clusteredTable', string>

/** Migration n upgrades the database from version n to n + 1. Never change a published migration: append one. */
function createMigrations(words: SchemaWords): readonly string[] {
  const { key, integer, id, freshId, table, clusteredTable } = words
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
      expired_at ${integer} -- when retention first found the message expired
    ) ${table};
    CREATE INDEX messages_by_time ON messages (received_at, reference);
    CREATE INDEX messages_by_status ON messages (status, received_at, reference);
    CREATE INDEX messages_by_mailbox ON messages (mailbox);

    CREATE TABLE outbox (
      id ${key} PRIMARY KEY, -- the message's reference, or 'letter'
      reference ${key} UNIQUE REFERENCES messages (reference) ON DELETE CASCADE, -- null: the daily letter
      due_at ${integer}, -- also the end of a lease; null: nothing is to be mailed
      queued_at ${integer} NOT NULL, -- when the message was stored or released; until when the last letter reported
      attempts ${integer} NOT NULL,
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
      reference ${key} NOT NULL REFERENCES messages (reference) ON DELETE CASCADE,
      received_at ${integer} NOT NULL,
      PRIMARY KEY (fingerprint, address)
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

    CREATE TABLE errors (
      day ${key} NOT NULL, -- YYYY-MM-DD, in Toronto
      place ${key} NOT NULL, -- 'browsers', or the page or route that the server answered with 500
      number ${integer} NOT NULL,
      reported ${integer} NOT NULL, -- how many of them a daily letter has reported
      PRIMARY KEY (day, place)
    ) ${clusteredTable};
    `,
  ]
}

export const SQLITE_MIGRATIONS = createMigrations({
  key: 'TEXT',
  integer: 'INTEGER',
  id: 'INTEGER PRIMARY KEY',
  freshId: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  table: 'STRICT',
  clusteredTable: 'STRICT, WITHOUT ROWID',
})

const POSTGRES_ID = 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY'
export const POSTGRES_MIGRATIONS = createMigrations({
  key: 'text COLLATE "C"',
  integer: 'bigint',
  id: POSTGRES_ID,
  freshId: POSTGRES_ID,
  table: '',
  clusteredTable: '',
})
