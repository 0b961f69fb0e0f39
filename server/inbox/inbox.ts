import type { createOperations } from './operations.ts'

export type { Message, MessageStatus, NewMessage, Receipt } from './message.ts'
export { MESSAGE_STATUSES } from './message.ts'
export type { Digest, Pending } from './operations/digest.ts'
export type { Attempt, Mail, MailOutcome } from './operations/mail.ts'
export type { ListQuery } from './operations/messages.ts'
export type { Submission } from './operations/submit.ts'
export type { Waiting } from './operations/waiting.ts'
export type { Scrubbing, StoreFault } from './session.ts'

/** Explanations for the operator, by reason. Reasons are fixed words, so they never quote a visitor's text. */
export const EXPLANATIONS = {
  deadline:
    'It did not answer in time. Check the load of its disk or server, and the network to it.',
  locked:
    'Another transaction kept it locked. Try again. If it lasts, look for long work on it, such as an open SQL session.',
  full: 'The disk of its file or of its PostgreSQL server is full. Free space on it.',
  'read-only': 'It is read-only. Make it writable.',
  'disk-fault': 'Its disk reported an error. Check the disk.',
  'server-fault':
    'PostgreSQL, or a proxy before it, could not do the work. Look up the SQLSTATE in its log.',
  'cannot-open':
    'It cannot be opened. Check DATABASE_URL, its server or disk, and the access rights.',
  damaged:
    'It is damaged, or not a database. Stop the site, save the files and restore the backup.',
  unconfirmed:
    'The connection broke during the COMMIT: the change may be stored or not. Check the result, or try again.',
  crashed: 'Its thread crashed; the next operation restarts it.',
  closed: 'It is closed.',
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

export type UnavailableReason = keyof typeof EXPLANATIONS

/** Permanent reasons: the site must not start. */
export const MISCONFIGURED: readonly UnavailableReason[] = [
  'not-a-file',
  'weak-durability',
  'newer-build',
  'network-file-system',
  'wrong-encoding',
]

/** Such a store may still be readable. */
export const UNWRITABLE: readonly UnavailableReason[] = [
  'full',
  'read-only',
  'disk-fault',
  'damaged',
]

export class InboxUnavailable extends Error {
  override name = 'InboxUnavailable'
  readonly reason: UnavailableReason

  constructor(reason: UnavailableReason, options?: ErrorOptions) {
    super(`The inbox is unavailable: ${reason}`, options)
    this.reason = reason
  }
}

/** Explanations of `cannot-open` by the error code of Node, OpenSSL or PostgreSQL. */
const CANNOT_OPEN: [code: RegExp, explanation: string][] = [
  [
    /^(ECONNREFUSED|57P0\d)$/,
    'PostgreSQL does not run, or starts or stops now. Start it; if it ends again, its disk may be full.',
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    'The DNS does not find the host in DATABASE_URL. Correct one of them.',
  ],
  [/^28/, 'PostgreSQL refuses the login. Check DATABASE_URL and pg_hba.conf.'],
  [/^3[DF]/, 'The database, or the schema in its search_path, does not exist. Create it.'],
  [/^42501$/, 'The role in DATABASE_URL lacks rights. Grant them.'],
  [/^53300$/, 'PostgreSQL has no free connection. End other clients, or raise max_connections.'],
  [/CERT|TLS/, 'The certificate of PostgreSQL is not valid. Renew it, or correct DATABASE_URL.'],
]

const findCode = ({ cause }: InboxUnavailable) => (cause as { code?: string } | undefined)?.code

/** Explains an error to the operator; never quotes DATABASE_URL. */
export function explainUnavailable(error: InboxUnavailable): string {
  const code = error.reason === 'cannot-open' ? findCode(error) : undefined
  const [, explanation] = CANNOT_OPEN.find(([codes]) => code && codes.test(code)) ?? []
  return explanation ?? EXPLANATIONS[error.reason]
}

/** Fields for the log. `detail` quotes only errors that contain no visitor's text. */
export function describeUnavailable(error: InboxUnavailable) {
  const { reason, cause } = error
  // A TypeError of the driver may quote a value of the query.
  const isQuotable = reason === 'cannot-open' && !(cause instanceof TypeError)
  return {
    reason,
    explanation: explainUnavailable(error),
    code: findCode(error),
    detail: isQuotable && Error.isError(cause) ? cause.message : undefined,
  }
}

/** An operation failed although the inbox is available, such as a backup to a file that exists. */
export class OperationRefused extends Error {
  override name = 'OperationRefused'
  /** An error code of the file system; `ENOTSUP`: the store lacks the operation; `UNSOUND`: the copy has faults. */
  readonly code: string
  /** The path, or the store that lacks the operation. */
  readonly subject: string

  constructor(code: string, subject: string) {
    super(`${subject} refused: ${code}`)
    this.code = code
    this.subject = subject
  }
}

export type InboxState = 'opening' | 'open' | 'unavailable' | 'closed'

/** A call that rejects changed nothing. Only after `crashed`, `disk-fault` or `unconfirmed`, its effect is unknown. */
export type Inbox = ReturnType<typeof createOperations> & {
  /** Resolves when the store is open for the first time; rejects if it is misconfigured, however late that shows. */
  opened(): Promise<void>
  state(): InboxState
  /** Completes the calls in progress; later calls reject with `closed`. */
  close(): Promise<void>
}

/** The mail queue of all processes. Callers pass delays, not times, because the clocks of machines may differ. */
export type MailQueue = Pick<Inbox, 'queueDigest' | 'lease' | 'settle' | 'nextDueIn'>
