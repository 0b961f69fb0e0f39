/** Texts for the operator. The reasons are fixed words, so they never quote a visitor's text. */
const REASONS = {
  deadline:
    'It did not answer in time. Check the load of its disk or server, and the network to it.',
  locked: 'Another transaction stays open, such as one of an SQL session. End it, or try again.',
  full: 'The disk of its file or of its PostgreSQL server is full. Delete files to make space.',
  'read-only': 'It is read-only. Make it writable.',
  failed: 'Reading or writing it failed. Check its disk or server, the free space and the memory.',
  'cannot-open':
    'It cannot be opened. Check DATABASE_URL, its server or disk, and the access rights.',
  damaged: 'It is damaged, or not a database. Stop the site and restore a backup.',
  replaced:
    'Its file was moved or replaced; nothing is written to it. Put the file back, or restart the site to use the new one.',
  unconfirmed:
    'PostgreSQL did not confirm the COMMIT: the change may be stored or not. Check, or try again.',
  closed: 'It is closed.',
  missing: 'There is no inbox here. The site creates it at its start. Check DATABASE_URL.',
  'not-a-file': 'DATABASE_URL names a folder. Name a file in it.',
  'not-durable': 'SQLite cannot use a write-ahead log here. Use a local disk, or PostgreSQL.',
  'newer-build': 'A newer build of the site wrote it. Start that build, or a newer one.',
}

export type UnavailableReason = keyof typeof REASONS

/** Reasons that no retry mends: the site must not start. */
export const MISCONFIGURED: readonly UnavailableReason[] = [
  'not-a-file',
  'not-durable',
  'newer-build',
]

/** Reasons for which a restore goes on without the newer messages. */
export const UNREADABLE: readonly UnavailableReason[] = ['damaged', 'failed']

export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
  readonly reason: UnavailableReason
  /** Code of Node, OpenSSL or PostgreSQL, such as ECONNREFUSED. */
  readonly code: string | undefined

  constructor(reason: UnavailableReason, code?: string) {
    super(`The inbox is unavailable: ${reason}`)
    this.reason = reason
    this.code = code
  }
}

/** Explains an error to the operator; never quotes DATABASE_URL. */
export const explainUnavailable = ({ reason, code }: StoreUnavailable): string =>
  code ? `${REASONS[reason]} (${code})` : REASONS[reason]
