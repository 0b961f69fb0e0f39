import type { Inbox } from '../inbox.ts'
import { createInboxFacade, type InboxOptions } from '../inbox-facade.ts'
import { findOpenFolder } from './file-system.ts'
import { createSqliteStore } from './store.ts'

export interface SqliteInboxOptions extends InboxOptions {
  path: string
}

export function createSqliteInbox(options: SqliteInboxOptions): Inbox {
  const { path, create = true, mailPerHour, log } = options
  const openFolder = findOpenFolder(path)
  if (openFolder)
    log?.warn(
      openFolder,
      'the folder of the inbox is open to other users: chmod 700 makes it private',
    )
  const store = createSqliteStore({ path, create, mailPerHour }, (err) => {
    log?.warn({ err }, 'inbox thread crashed')
  })
  return createInboxFacade(store, path, options)
}
