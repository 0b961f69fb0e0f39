import type { NodemailerError } from 'nodemailer'

// Codes of Node and OpenSSL for an invalid certificate or a failed handshake.
const TLS_ERROR = /CERT|^ERR_(TLS|SSL)|^UNABLE_TO_|^HOSTNAME_MISMATCH/

const MAX_DETAIL_LENGTH = 500

/** Log text of every error of kind `misconfigured`. */
export const MISCONFIGURED_ALARM =
  "mail is misconfigured: nothing can be mailed until this is fixed; check SMTP_URL, MAIL_FROM, MAIL_TO, the mail server's certificate and the installed packages"

export const MAIL_RESULTS = [
  'accepted',
  'failed', // the mail will be retried, or the message is dead
  'misconfigured',
  'broken-off', // aborted by a shutdown
] as const
export type MailResult = (typeof MAIL_RESULTS)[number]

/** `message` may quote the server's reply, which may quote a visitor's text. */
export class MailError extends Error {
  override name = 'MailError'
  /** `misconfigured`: no mail can be sent. `refused`: the server refused this mail permanently. */
  readonly kind: 'misconfigured' | 'refused' | 'temporary'
  /** For the log: codes only, if the reply may quote the visitor's text. */
  readonly detail: string

  constructor(cause: NodemailerError) {
    const text = cause.message.replace(/\s+/g, ' ').slice(0, MAX_DETAIL_LENGTH)
    super(text, { cause })
    this.kind = findKind(cause)
    this.detail = this.kind === 'misconfigured' ? text : describe(cause, text)
  }
}

function findKind(error: NodemailerError): MailError['kind'] {
  if (isMisconfigured(error)) return 'misconfigured'
  return error.code === 'EMESSAGE' && error.permanent ? 'refused' : 'temporary'
}

function isMisconfigured(error: NodemailerError): boolean {
  const { code, originalCode, command, permanent, responseCode } = error
  switch (code) {
    case 'ERR_MODULE_NOT_FOUND': // nodemailer is missing: the installed packages are incomplete
      return true
    case 'EAUTH':
    case 'ENOAUTH':
      return permanent !== false
    case 'ETLS':
      return responseCode === undefined || permanent === true
    case 'ESOCKET':
      return TLS_ERROR.test(originalCode ?? '')
    case 'EENVELOPE':
      return command === 'API' || (permanent === true && command !== 'DATA')
    default:
      return false
  }
}

/** Adds the text only of a connection error that quotes no reply of the server. */
function describe(error: NodemailerError, text: string): string {
  const isReply = error.command !== 'CONN' || error.response !== undefined
  return isReply ? listCodes(error) : `${listCodes(error)}: ${text}`
}

function listCodes({ code, originalCode, timeoutType, command, response, cause }: NodemailerError) {
  const [reply] = /^\d{3}([ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response ?? '') ?? []
  const reason = cause instanceof DOMException ? cause.name : undefined
  return [code, originalCode, timeoutType, reason, command, reply].filter(Boolean).join(' ')
}
