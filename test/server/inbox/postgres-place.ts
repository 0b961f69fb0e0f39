import pg from 'pg'
import {
  createPostgresInbox,
  type PostgresInboxOptions,
} from '../../../server/inbox/create-inbox.ts'
import type { PostgresServer } from '../../../tools/harness/postgres.ts'
import type { Place } from './inbox-suite.ts'
import { createTestInbox, type TestInbox } from './test-inbox.ts'

export interface PostgresPlace extends Place {
  url: string
  open(options?: Partial<PostgresInboxOptions>): TestInbox
}

/** A store in a new database. */
export async function createPostgresPlace(server: PostgresServer): Promise<PostgresPlace> {
  const url = await server.createDatabase()
  const inboxes: TestInbox[] = []

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return client
  }

  return {
    url,
    open(options) {
      const inbox = createTestInbox(
        createPostgresInbox({ url, connectTimeoutMs: 60_000, ...options }),
      )
      inboxes.push(inbox)
      return inbox
    },
    async lock() {
      const foreigner = await connect()
      await foreigner.query('BEGIN; LOCK TABLE messages, outbox, receipts, hits IN EXCLUSIVE MODE')
      return () => foreigner.end()
    },
    async tamper(sql) {
      const foreigner = await connect()
      await foreigner.query(sql)
      await foreigner.end()
    },
    async read(sql) {
      const foreigner = await connect()
      const { rows } = await foreigner.query(sql)
      await foreigner.end()
      return rows
    },
    scrubbing: 'unsupported',
    async close() {
      await Promise.all(inboxes.map((inbox) => inbox.close()))
      await server.dropDatabase(url)
    },
  }
}
