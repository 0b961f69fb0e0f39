import type { Inbox } from '../inbox.ts'
import { createFront, type InboxOptions } from '../inbox-facade.ts'
import { findOpenFolder } from './file-system.ts'
import { createSqliteThread } from './store.ts'

export interface SqliteInboxOptions extends InboxOptions {
  path: string
}

/** An inbox in one SQLite file. */
export function createSqliteInbox(options: SqliteInboxOptions): Inbox {
  const { path, create = true, log } = options
  const openFolder = findOpenFolder(path)
  if (openFolder) log?.warn(openFolder, 'others can look into the folder of the inbox')
  const thread = createSqliteThread({ path, create }, (err) => {
    log?.warn({ err }, 'inbox thread crashed')
  })
  return createFront(thread, path, options)
}
