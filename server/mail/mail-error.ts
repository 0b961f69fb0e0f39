import type { NodemailerError } from 'nodemailer'

// Codes that Node and OpenSSL give a certificate or a handshake that does not hold.
const TLS_FAULT = /CERT|^ERR_(TLS|SSL)|^UNABLE_TO_|^HOSTNAME_MISMATCH/

/** The code of a fault that came before any server: the packages are not installed whole. */
export const NOT_LOADED = 'ENOTLOADED'

const LONGEST_TEXT = 500

/** What is logged, with the fault, when our own settings keep mail from going. */
export const MISCONFIGURED_ALARM = 'mail is misconfigured: nothing can be mailed until it is mended'

/** Why a mail did not go. The message may hold words of the mail server. */
export class MailFault extends Error {
  override name = 'MailFault'
  /** Our settings are to blame, not this mail: user, sender, recipient or certificate. */
  readonly misconfigured: boolean
  /** For the log: a server may quote a visitor's text once it has seen it, so only codes then. */
  readonly note: string

  constructor(cause: NodemailerError) {
    const text = cause.message.replace(/\s+/g, ' ').slice(0, LONGEST_TEXT)
    super(text, { cause })
    this.misconfigured = isMisconfigured(cause)
    this.note = this.misconfigured ? text : listCodes(cause)
  }
}

function isMisconfigured({
  code,
  originalCode,
  command,
  permanent,
  responseCode,
}: NodemailerError) {
  switch (code) {
    case NOT_LOADED:
      return true
    case 'EAUTH':
    case 'ENOAUTH':
      return permanent !== false
    case 'ETLS':
      return responseCode === undefined || permanent === true
    case 'ESOCKET':
      return TLS_FAULT.test(originalCode ?? '')
    case 'EENVELOPE':
      return command === 'API' || (permanent === true && command !== 'DATA')
    default:
      return false
  }
}

function listCodes({ code, originalCode, timeoutType, command, response, cause }: NodemailerError) {
  const [reply] = /^\d{3}([ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response ?? '') ?? []
  const reason = cause instanceof DOMException ? cause.name : undefined
  return [code, originalCode, timeoutType, reason, command, reply].filter(Boolean).join(' ')
}
