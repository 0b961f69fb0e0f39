import { createFront, type InboxOptions } from '../front.ts'
import type { Inbox } from '../inbox.ts'
import { createPostgresStore } from './store.ts'

export interface PostgresInboxOptions extends InboxOptions {
  /** postgres://USER:PASSWORD@HOST/DATABASE, with what TLS needs (sslmode, sslrootcert). */
  url: string
}

/** An inbox in a PostgreSQL database, which several machines may share. */
export function createPostgresInbox(options: PostgresInboxOptions): Inbox {
  const { url, create = true } = options
  const { host, pathname } = new URL(url)
  return createFront(createPostgresStore({ url, create }), `${host}${pathname}`, options)
}
