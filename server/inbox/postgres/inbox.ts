import type { Inbox } from '../inbox.ts'
import { createInboxFacade, type InboxOptions } from '../inbox-facade.ts'
import type { Store } from '../operations.ts'
import type { PostgresStoreOptions } from './store.ts'

export interface PostgresInboxOptions
  extends InboxOptions,
    Pick<PostgresStoreOptions, 'connectTimeoutMs'> {
  /** postgres://USER:PASSWORD@HOST/DATABASE, with the parameters of TLS (sslmode, sslrootcert). */
  url: string
}

/** Loads the store and its driver only where PostgreSQL is used: SQLite starts faster without. */
function loadStore(options: PostgresStoreOptions): Store {
  const loading = import('./store.ts').then(({ createPostgresStore }) =>
    createPostgresStore(options),
  )
  return {
    run: (name, args, runOptions) => loading.then((store) => store.run(name, args, runOptions)),
    close: () => loading.then((store) => store.close()),
  }
}

export function createPostgresInbox(options: PostgresInboxOptions): Inbox {
  const { url, create = true, mailPerHour, connectTimeoutMs } = options
  const { host, pathname } = new URL(url)
  const store = loadStore({ url, create, mailPerHour, connectTimeoutMs })
  return createInboxFacade(store, `${host}${pathname}`, options)
}
