import type { InboxUnavailable, UnavailableReason } from './inbox.ts'

const EXPLANATIONS: Partial<Record<UnavailableReason, string>> = {
  missing: 'There is no inbox yet: the site makes it when it starts. Check DATABASE_URL.',
  'weak-durability':
    'The database does not promise to keep what it acknowledges: SQLite needs WAL and synchronous=FULL, PostgreSQL fsync and full_page_writes.',
  'newer-build': 'The inbox was written by a newer build of the site than this one.',
  'network-file-system':
    'DATABASE_URL names a file on a network file system, where the locks of SQLite do not hold. Use a local disk, or PostgreSQL.',
  'wrong-encoding': 'The PostgreSQL database is not in UTF-8. Make one with ENCODING UTF8.',
}

/** What an operator reads; never holds any of DATABASE_URL. */
export function explainUnavailable(error: InboxUnavailable): string {
  return EXPLANATIONS[error.reason] ?? error.message
}
