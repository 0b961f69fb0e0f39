/** Texts for the operator. Reasons are fixed words, so they never quote a visitor's text. */
const REASONS = {
  deadline:
    'It did not answer in time. Check the load of its disk or server, and the network to it.',
  locked:
    'Another transaction was in the way. Try again. If this happens often, look for a transaction that stays open, such as one of an SQL session.',
  full: 'The disk of its file or of its PostgreSQL server is full. Delete files to make space.',
  'read-only': 'It is read-only. Make it writable.',
  'disk-fault': 'Reading or writing it failed. Check its disk, the free space and the memory.',
  'server-fault':
    'PostgreSQL, or a proxy before it, could not do the work. The log of one of them says why.',
  'cannot-open':
    'It cannot be opened. Check DATABASE_URL, its server or disk, and the access rights.',
  damaged:
    'It is damaged, or not a database. Stop the site, save the files and restore the backup.',
  replaced:
    'Its file was moved or replaced while it was open, or the -wal file beside it belongs to another; nothing is written to it. Put the right file back, or restart the site to use the new one.',
  unconfirmed:
    'PostgreSQL did not confirm the COMMIT in time: the change may be stored or not. Check the result, or try again.',
  closed: 'It is closed.',
  missing: 'There is no inbox here. The site creates it at its start. Check DATABASE_URL.',
  'not-a-file':
    'DATABASE_URL names a folder. Name a file in it, such as sqlite:./data/inbox.sqlite.',
  'weak-durability':
    'The database may lose messages that it acknowledged: SQLite needs WAL and synchronous=FULL.',
  'newer-build': 'A newer build of the site wrote this inbox. Start that build, or a newer one.',
}

export type UnavailableReason = keyof typeof REASONS

/** Reasons that no retry mends: the site must not start. */
export const MISCONFIGURED: readonly UnavailableReason[] = [
  'not-a-file',
  'weak-durability',
  'newer-build',
]

export class InboxUnavailable extends Error {
  override name = 'InboxUnavailable'
  readonly reason: UnavailableReason

  constructor(reason: UnavailableReason, options?: ErrorOptions) {
    super(`The inbox is unavailable: ${reason}`, options)
    this.reason = reason
  }
}

/** Better explanations of `cannot-open`, by the error code of Node, OpenSSL or PostgreSQL. */
const CANNOT_OPEN: [codes: RegExp, explanation: string][] = [
  [
    /^(ECONNREFUSED|57P0\d)$/,
    'PostgreSQL is not running at this address, is starting or stopping, or ended the connection. Check DATABASE_URL and start PostgreSQL; if it stops again, its disk may be full.',
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    'The host in DATABASE_URL cannot be found. Check its name, and the DNS of this machine.',
  ],
  [/^28/, 'PostgreSQL refuses the login. Check DATABASE_URL and pg_hba.conf.'],
  [/^3[DF]/, 'The database, or the schema in its search_path, does not exist. Create it.'],
  [/^(42501|EACCES|EPERM)$/, 'The user or role lacks rights. Grant them.'],
  [/^53300$/, 'PostgreSQL has no free connection. End other clients, or raise max_connections.'],
  [
    /CERT|TLS/,
    'The certificate of PostgreSQL was not accepted. Renew it, or correct DATABASE_URL.',
  ],
]

const findCode = ({ cause }: InboxUnavailable) => (cause as { code?: string } | undefined)?.code

/** Explains an error to the operator; never quotes DATABASE_URL. */
export function explainUnavailable(error: InboxUnavailable): string {
  const code = error.reason === 'cannot-open' ? (findCode(error) ?? '') : ''
  const [, explanation] = CANNOT_OPEN.find(([codes]) => codes.test(code)) ?? []
  return explanation ?? REASONS[error.reason]
}

/** Fields for the log, without the driver's text, which may quote a value of the query. */
export const describeUnavailable = (error: InboxUnavailable) => ({
  reason: error.reason,
  explanation: explainUnavailable(error),
  code: findCode(error),
})
