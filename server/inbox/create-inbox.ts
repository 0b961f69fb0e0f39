import type { DatabaseTarget } from '../config/database-url.ts'
import type { Inbox } from './inbox.ts'
import { createInboxFacade, type InboxOptions } from './inbox-facade.ts'
import type { Store } from './operations/index.ts'
import type { PostgresStoreOptions } from './postgres/store.ts'
import { findOpenFolder } from './sqlite/file-system.ts'
import { createThreadStore } from './sqlite/thread-store.ts'

type Options = InboxOptions & Pick<PostgresStoreOptions, 'connectTimeoutMs'>

export function createInbox(target: DatabaseTarget, options: Options = {}): Inbox {
  const { create = true, salvage, mailPerHour, log, connectTimeoutMs } = options
  if (target.kind === 'postgres') {
    const { host, pathname } = new URL(target.url)
    const store = loadPostgresStore({ url: target.url, create, mailPerHour, connectTimeoutMs })
    return createInboxFacade(store, `${host}${pathname}`, options)
  }
  const { path } = target
  const openFolder = findOpenFolder(path)
  if (openFolder)
    log?.warn(
      openFolder,
      'the folder of the inbox is open to other users: chmod 700 makes it private',
    )
  const store = createThreadStore({ path, create, salvage, mailPerHour }, (err) => {
    log?.warn({ err }, 'inbox thread crashed; the next operation restarts it')
  })
  return createInboxFacade(store, path, options)
}

/** Loads the PostgreSQL store and its driver on demand: a site on SQLite starts faster without them. */
function loadPostgresStore(options: PostgresStoreOptions): Store {
  const loading = import('./postgres/store.ts').then(({ createPostgresStore }) =>
    createPostgresStore(options),
  )
  return {
    run: (...call) => loading.then((store) => store.run(...call)),
    close: () => loading.then((store) => store.close()),
  }
}
