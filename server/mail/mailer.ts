import { domainToASCII } from 'node:url'
import { createTransport, type NodemailerError } from 'nodemailer'
import { isEmail } from '../../shared/contact-schema.ts'
import { company } from '../../shared/content/company.ts'
import type { SmtpServer } from '../config.ts'
import { type OutgoingMail, toSingleLine } from './message-mail.ts'

/** A server that sends single bytes slowly defeats the timeouts of a connection. */
export const SEND_TIMEOUT_MS = 90_000

export interface MailerOptions {
  server: SmtpServer
  from: string
  to: string
  /** PEM certificates that replace the default authorities. */
  ca?: string
  sendTimeoutMs?: number
}

export type Mailer = ReturnType<typeof createMailer>

/** `message` may quote the server's reply, which may quote a visitor's text. */
export class MailError extends Error {
  override name = 'MailError'
  /** For the log: codes only. */
  readonly detail: string
  /** The variable that is wrong, so that no mail can be sent; undefined if a later try may succeed. */
  readonly variable: 'SMTP_URL' | 'MAIL_FROM' | 'MAIL_TO' | undefined

  constructor(message: string, detail: string, variable?: MailError['variable']) {
    super(message)
    this.detail = detail
    this.variable = variable
  }
}

/** Sends by SMTP to one recipient, each mail over its own connection. */
export function createMailer(options: MailerOptions) {
  const { server, from, to, sendTimeoutMs = SEND_TIMEOUT_MS } = options
  const transport = createTransport({
    // In EHLO. The default is [127.0.0.1] in a container, which some mail servers refuse.
    name: from.slice(from.lastIndexOf('@') + 1),
    host: server.host,
    port: server.port,
    secure: server.tls === 'implicit',
    requireTLS: server.tls === 'starttls',
    ignoreTLS: server.tls === 'off',
    // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 would turn verification off.
    tls: { rejectUnauthorized: true, ca: options.ca },
    auth: server.auth,
    // Otherwise nodemailer skips the login when the server does not advertise AUTH.
    forceAuth: server.auth !== undefined,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    /** Resolves to the server's reply. Rejects with MailError, even if only that reply was lost. */
    async send(mail: OutgoingMail, signal?: AbortSignal): Promise<string> {
      const timeout = AbortSignal.timeout(sendTimeoutMs)
      try {
        const { response } = await transport.sendMail({
          messageId: `<${mail.id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
          // Addresses are objects, because nodemailer may parse a string as several addresses.
          from: { name: `Site Web – ${company.legalName.fr}`, address: from },
          to: { name: '', address: to },
          replyTo: findReplyTo(mail) ?? { name: '', address: toAscii(to) },
          envelope: { from, to: [to] },
          subject: mail.subject,
          text: mail.text,
          textEncoding: 'quoted-printable',
          headers: mail.isAutomatic ? { 'Auto-Submitted': 'auto-generated' } : {},
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        })
        return response
      } catch (error) {
        const cause = error as NodemailerError
        throw new MailError(cause.message, listCodes(cause), findWrongVariable(cause))
      }
    },
  }
}

function toAscii(email: string): string {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  return email.slice(0, at) + (domainToASCII(domain) || domain)
}

/** The visitor's address, unless a mail program could read another one in it. */
function findReplyTo({ replyTo }: OutgoingMail) {
  if (!replyTo || !isEmail(replyTo.address) || replyTo.address.includes('=?')) return undefined
  return { name: toSingleLine(replyTo.name), address: toAscii(replyTo.address) }
}

// Codes of Node and OpenSSL for an invalid certificate or a failed handshake.
const TLS_ERROR = /CERT|^ERR_(TLS|SSL)|^UNABLE_TO_|^HOSTNAME_MISMATCH/

/** RFC 3463: 5.2 and 5.3 are about a mailbox or system that is full. Google says 5.4.5 for a quota; others only use words. */
const FULL = /^5\d\d[ -]5\.(?:[23]\.|4\.5\b)|\b(?:quota|full|limit)\b/i

function findWrongVariable(error: NodemailerError): MailError['variable'] {
  const { code, originalCode = '', command, permanent, responseCode, response = '' } = error
  switch (code) {
    case 'EAUTH':
    case 'ENOAUTH':
      return permanent === false ? undefined : 'SMTP_URL'
    case 'ETLS':
      return responseCode === undefined || permanent ? 'SMTP_URL' : undefined
    case 'ESOCKET':
      return TLS_ERROR.test(originalCode) ? 'SMTP_URL' : undefined
    case 'EENVELOPE':
      if (!permanent || responseCode === 552 || FULL.test(response)) return undefined
      return command === 'MAIL FROM' ? 'MAIL_FROM' : command === 'RCPT TO' ? 'MAIL_TO' : undefined
    default:
      return undefined
  }
}

function listCodes({ code, originalCode, timeoutType, command, response, cause }: NodemailerError) {
  const [reply] = /^\d{3}([ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response ?? '') ?? []
  const reason = cause instanceof DOMException ? cause.name : undefined
  return [code, originalCode, timeoutType, reason, command, reply].filter(Boolean).join(' ')
}
