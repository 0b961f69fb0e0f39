import texts from './command/en.json' with { type: 'json' }

/** Reasons are fixed words, so they never quote a visitor's text. */
export type UnavailableReason = keyof typeof texts.reasons

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

/** The explanation of `cannot-open`, by the error code of Node, OpenSSL or PostgreSQL. */
const CANNOT_OPEN: [codes: RegExp, keyof typeof texts.cannotOpen][] = [
  [/^(ECONNREFUSED|57P0\d)$/, 'not-running'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'unknown-host'],
  [/^28/, 'wrong-login'],
  [/^3[DF]/, 'no-database'],
  [/^42501$/, 'no-rights'],
  [/^53300$/, 'no-connection'],
  [/CERT|TLS/, 'wrong-certificate'],
]

const findCode = ({ cause }: InboxUnavailable) => (cause as { code?: string } | undefined)?.code

/** Explains an error to the operator; never quotes DATABASE_URL. */
export function explainUnavailable(
  error: InboxUnavailable,
  { reasons, cannotOpen } = texts,
): string {
  const code = error.reason === 'cannot-open' ? (findCode(error) ?? '') : ''
  const [, why] = CANNOT_OPEN.find(([codes]) => codes.test(code)) ?? []
  return why ? cannotOpen[why] : reasons[error.reason]
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
  /** The file, its folder, or the store that lacks the operation. */
  readonly subject: string

  constructor(code: string, subject: string) {
    super(`${subject} refused: ${code}`)
    this.code = code
    this.subject = subject
  }
}
