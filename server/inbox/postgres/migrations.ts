import { InboxUnavailable } from '../inbox.ts'
import type { Session } from './session.ts'

/** The schema's history: number n brings a database from version n to n + 1. Only ever add. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE messages (
    reference text COLLATE "C" PRIMARY KEY,
    received_at bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    trapped text NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    email text NOT NULL,
    service text NOT NULL,
    message text NOT NULL,
    language text NOT NULL,
    content_hash text NOT NULL,
    read_at bigint
  );
  CREATE INDEX messages_by_time ON messages (received_at, reference);
  CREATE INDEX messages_by_status ON messages (status, received_at, reference);
  CREATE INDEX messages_by_email ON messages (lower(email));
  CREATE INDEX messages_unread ON messages (received_at, reference)
    WHERE read_at IS NULL AND status IN ('new', 'mailed');

  CREATE TABLE outbox (
    reference text COLLATE "C" PRIMARY KEY REFERENCES messages (reference) ON DELETE CASCADE,
    due_at bigint, -- also the end of a lease; null: nothing is to be mailed
    queued_at bigint NOT NULL,
    attempts integer NOT NULL,
    token text
  );
  CREATE INDEX outbox_by_due ON outbox (due_at) WHERE due_at IS NOT NULL;

  CREATE TABLE attempts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    reference text COLLATE "C" NOT NULL REFERENCES messages (reference) ON DELETE CASCADE,
    tried_at bigint NOT NULL,
    outcome text NOT NULL,
    detail text NOT NULL
  );
  CREATE INDEX attempts_by_reference ON attempts (reference);

  CREATE TABLE receipts (
    fingerprint text COLLATE "C" NOT NULL,
    address text NOT NULL,
    idempotency_key text NOT NULL,
    reference text COLLATE "C" NOT NULL REFERENCES messages (reference) ON DELETE CASCADE,
    received_at bigint NOT NULL,
    PRIMARY KEY (fingerprint, address, idempotency_key)
  );
  CREATE INDEX receipts_by_time ON receipts (received_at);
  CREATE INDEX receipts_by_reference ON receipts (reference);

  CREATE TABLE hits (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    address text NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE INDEX hits_by_address ON hits (address, expires_at);
  CREATE INDEX hits_by_expiry ON hits (expires_at);

  CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    noted_at bigint NOT NULL,
    action text NOT NULL,
    subject text NOT NULL
  );
  CREATE INDEX audit_by_time ON audit (noted_at);

  CREATE TABLE digests (
    date text COLLATE "C" PRIMARY KEY,
    leased_until bigint NOT NULL,
    confirmed_at bigint
  );
  `,
  `
  ALTER TABLE messages ADD COLUMN mailbox text COLLATE "C"; -- null: kept by an older build, and not folded yet
  CREATE INDEX messages_by_mailbox ON messages (mailbox);
  DROP INDEX messages_by_email;
  `,
  `
  CREATE INDEX attempts_mailed ON attempts (tried_at) WHERE outcome = 'mailed';
  CREATE INDEX outbox_leased ON outbox (due_at) WHERE token IS NOT NULL;
  CREATE INDEX outbox_by_queued ON outbox (queued_at) WHERE due_at IS NOT NULL;
  `,
]

type Transact = <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>

interface MigrateOptions {
  /** False refuses with `missing` where there are no tables yet. */
  create: boolean
  migrations?: readonly string[]
}

/** Brings a database up to date, a step a transaction; of several processes one does each step. */
export async function migrate(
  transact: Transact,
  { create, migrations = MIGRATIONS }: MigrateOptions,
): Promise<void> {
  const step = async (session: Session) => {
    await session.lock('migration')
    const [found] = await session.query("SELECT to_regclass('inbox_schema') AS name")
    if (!found?.name) {
      if (!create) throw new InboxUnavailable('missing')
      await session.query(`CREATE TABLE inbox_schema (version integer NOT NULL);
        INSERT INTO inbox_schema VALUES (0)`)
    }
    const [row] = await session.query<{ version: number }>('SELECT version FROM inbox_schema')
    const version = row?.version ?? 0
    if (version > migrations.length) throw new InboxUnavailable('newer-build')
    const migration = migrations[version]
    if (migration === undefined) return false
    await session.query(`${migration}; UPDATE inbox_schema SET version = ${version + 1}`)
    return true
  }
  while (await transact(step));
}
