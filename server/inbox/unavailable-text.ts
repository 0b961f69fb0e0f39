import type { InboxUnavailable, UnavailableReason } from './inbox.ts'

const EXPLANATIONS: Partial<Record<UnavailableReason, string>> = {
  missing: 'There is no inbox yet. The site creates it at its start. Check DATABASE_URL.',
  'not-a-file':
    'DATABASE_URL names a folder. Name a file in it, such as sqlite:./data/inbox.sqlite.',
  'weak-durability':
    'The database may lose messages that it acknowledged: SQLite needs WAL and synchronous=FULL, PostgreSQL fsync and full_page_writes.',
  'newer-build': 'A newer build of the site wrote this inbox. Start that build, or a newer one.',
  'network-file-system':
    'DATABASE_URL names a file on a network file system, where the locks of SQLite do not work. Use a local disk, or PostgreSQL.',
  'wrong-encoding': 'The PostgreSQL database is not in UTF-8. Create one with ENCODING UTF8.',
}

/** The text for an operator; never holds any part of DATABASE_URL. */
export function explainUnavailable(error: InboxUnavailable): string {
  return EXPLANATIONS[error.reason] ?? error.message
}
