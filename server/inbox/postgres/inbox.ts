import type { Inbox } from '../inbox.ts'
import { createFront, type InboxOptions } from '../inbox-facade.ts'
import type { OperationArgs, OperationName, Store } from '../operations.ts'
import type { PostgresStoreOptions } from './store.ts'

export interface PostgresInboxOptions
  extends InboxOptions,
    Pick<PostgresStoreOptions, 'connectTimeoutMs'> {
  /** postgres://USER:PASSWORD@HOST/DATABASE, with what TLS needs (sslmode, sslrootcert). */
  url: string
}

/** The store, which is loaded with its driver by those who have it: others start without. */
function loadStore(options: PostgresStoreOptions): Store {
  const loading = import('./store.ts').then(({ createPostgresStore }) =>
    createPostgresStore(options),
  )
  return {
    async run<Name extends OperationName>(name: Name, args: OperationArgs<Name>, deadline: number) {
      return (await loading).run(name, args, deadline)
    },
    close: async () => (await loading).close(),
  }
}

/** An inbox in a PostgreSQL database, which several machines may share. */
export function createPostgresInbox(options: PostgresInboxOptions): Inbox {
  const { url, create = true, connectTimeoutMs } = options
  const { host, pathname } = new URL(url)
  return createFront(loadStore({ url, create, connectTimeoutMs }), `${host}${pathname}`, options)
}
