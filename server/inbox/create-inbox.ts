import type { DatabasePlace } from '../config/database-url.ts'
import type { Inbox } from './inbox.ts'
import type { InboxOptions } from './inbox-facade.ts'
import { createPostgresInbox } from './postgres/inbox.ts'
import { createSqliteInbox } from './sqlite/inbox.ts'

export function createInbox(place: DatabasePlace, options: InboxOptions = {}): Inbox {
  if (place.kind === 'sqlite') return createSqliteInbox({ path: place.path, ...options })
  return createPostgresInbox({ url: place.url, ...options })
}
