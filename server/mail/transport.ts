import type { NodemailerError } from 'nodemailer'
import type { SmtpServer } from '../config/smtp-url.ts'
import { MailError } from './mail-error.ts'
import type { Transport } from './mailer.ts'

const SMTP_TIMEOUTS = {
  /** Timeout from the DNS lookup to the end of STARTTLS. */
  connectionMs: 20_000,
  greetingMs: 15_000,
  /** Maximum time without a byte. A content filter may take more than a minute to accept a mail. */
  silenceMs: 90_000,
}

export interface TransportOptions {
  server: SmtpServer
  /** The name that the site says in EHLO. */
  clientName?: string
  timeouts?: typeof SMTP_TIMEOUTS
  /** PEM certificates that replace the default authorities. */
  ca?: string
}

/** Sends by SMTP, each mail over its own connection. */
export function createTransport(options: TransportOptions): Transport {
  const { server, clientName, timeouts = SMTP_TIMEOUTS, ca } = options

  // Load nodemailer now: a later `npm ci` may remove the package while the site runs.
  const opening = import('nodemailer').then((nodemailer) =>
    nodemailer.createTransport({
      // The default is [127.0.0.1] in a container, which some mail servers refuse.
      name: clientName,
      host: server.host,
      port: server.port,
      secure: server.tls === 'implicit',
      requireTLS: server.tls === 'starttls',
      ignoreTLS: server.tls === 'off',
      // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 would turn verification off.
      tls: { rejectUnauthorized: true, ca },
      auth: server.auth,
      // Otherwise nodemailer skips the login when the server does not advertise AUTH.
      forceAuth: server.auth !== undefined,
      connectionTimeout: timeouts.connectionMs,
      dnsTimeout: timeouts.connectionMs,
      greetingTimeout: timeouts.greetingMs,
      socketTimeout: timeouts.silenceMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
  opening.catch(() => {})

  return async (letter, signal) => {
    try {
      const transport = await opening
      const { response } = await transport.sendMail({
        // Its addresses are objects, because nodemailer may parse a string as several addresses.
        ...letter,
        envelope: { from: letter.from.address, to: [letter.to.address] },
        headers: { 'Auto-Submitted': 'auto-generated' },
        textEncoding: 'quoted-printable',
        signal,
      })
      return response
    } catch (error) {
      throw toMailError(error as NodemailerError)
    }
  }
}

export function toMailError(error: NodemailerError): MailError {
  if (isMisconfigured(error)) return new MailError('misconfigured', error.message)
  const isRefused = error.code === 'EMESSAGE' && error.permanent
  return new MailError(isRefused ? 'refused' : 'later', describe(error), error.message)
}

// Codes of Node and OpenSSL for an invalid certificate or a failed handshake.
const TLS_ERROR = /CERT|^ERR_(TLS|SSL)|^UNABLE_TO_|^HOSTNAME_MISMATCH/

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
function describe(error: NodemailerError): string {
  const isReply = error.command !== 'CONN' || error.response !== undefined
  return isReply ? listCodes(error) : `${listCodes(error)}: ${error.message}`
}

function listCodes({ code, originalCode, timeoutType, command, response, cause }: NodemailerError) {
  const [reply] = /^\d{3}([ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response ?? '') ?? []
  const reason = cause instanceof DOMException ? cause.name : undefined
  return [code, originalCode, timeoutType, reason, command, reply].filter(Boolean).join(' ')
}
