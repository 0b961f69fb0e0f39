import type { NodemailerError } from 'nodemailer'
import { isEmail, toAsciiDomain } from '../../shared/contact.ts'
import type { SmtpServer } from '../config/smtp-url.ts'
import { MailError } from './mail-error.ts'
import { type Letter, toLine } from './message-letter.ts'

const MAIL_TIMEOUTS = {
  /** Timeout from the DNS lookup to the end of STARTTLS. */
  connectionMs: 20_000,
  greetingMs: 15_000,
  /** Maximum time without a byte. A content filter may take more than a minute to accept a mail. */
  silenceMs: 90_000,
  /** Timeout of the whole send: a server that sends single bytes slowly defeats `silenceMs`. */
  totalMs: 120_000,
}

export interface Mailer {
  /** Resolves to the server's reply. Rejects with MailError, even if only that reply was lost. */
  send(letter: Letter, signal?: AbortSignal): Promise<string>
}

export interface MailerOptions {
  server: SmtpServer
  from: string
  to: string
  senderName: string
  /** The name that the site says in EHLO. */
  clientName?: string
  timeouts?: typeof MAIL_TIMEOUTS
  /** PEM certificates that replace the default authorities. */
  ca?: string
}

function toAscii(address: string): string {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + toAsciiDomain(address.slice(at))
}

/** Mails to one recipient, each letter over its own connection. */
export function createMailer(options: MailerOptions): Mailer {
  const { server, from, to, senderName, clientName, timeouts = MAIL_TIMEOUTS, ca } = options
  const domain = from.slice(from.lastIndexOf('@') + 1)

  async function openTransport() {
    const { createTransport } = await import('nodemailer')
    return createTransport({
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
    })
  }

  // Load nodemailer now: a later `npm ci` may remove the package while the site runs.
  const opening = openTransport()
  opening.catch(() => {})

  return {
    async send({ id, subject, text, replyTo }: Letter, signal?: AbortSignal): Promise<string> {
      const isAnswerable = replyTo && isEmail(replyTo.address) && !replyTo.address.includes('=?')
      const timeout = AbortSignal.timeout(timeouts.totalMs)
      try {
        const transport = await opening
        const { response } = await transport.sendMail({
          envelope: { from, to: [to] },
          from: { name: senderName, address: from },
          to: { name: '', address: to },
          // An object, because nodemailer may parse a string as several addresses.
          replyTo: isAnswerable
            ? { name: toLine(replyTo.name), address: toAscii(replyTo.address) }
            : { name: '', address: toAscii(to) },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          textEncoding: 'quoted-printable',
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        })
        return response
      } catch (error) {
        throw new MailError(error as NodemailerError)
      }
    },
  }
}
