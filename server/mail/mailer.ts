import type { NodemailerError } from 'nodemailer'
import { isEmail, toAsciiDomain } from '../../shared/contact.ts'
import type { SmtpServer } from '../config/smtp-url.ts'
import { loadNodemailer } from './load-nodemailer.ts'
import { MailFault, NOT_LOADED } from './mail-error.ts'
import { toLine } from './mail-format.ts'

export interface Letter {
  /** The part of the Message-ID before the @; the same letter always has the same. */
  id: string
  subject: string
  text: string
  /** Who an answer goes to; as typed, so not to be trusted. */
  replyTo?: { name: string; address: string }
}

export interface Mailer {
  /**
   * Resolves to the mail server's words once it has taken the letter on. Rejects with MailFault,
   * and then it may still have done so: its answer can have been lost.
   */
  send(letter: Letter, signal?: AbortSignal): Promise<string>
}

/** Durations in ms. */
export interface MailTimeouts {
  /** Until the session is set up, from looking up the host to the end of STARTTLS. */
  connection: number
  greeting: number
  /** Without a byte from the server. Filters may take a while before they accept a mail. */
  silence: number
  /** In all, however slowly the bytes drip in. */
  total: number
}

export const MAIL_TIMEOUTS: MailTimeouts = {
  connection: 20_000,
  greeting: 15_000,
  silence: 90_000,
  total: 120_000,
}

export interface MailerOptions {
  server: SmtpServer
  from: string
  to: string
  senderName: string
  timeouts?: MailTimeouts
  /** Brings what writes and sends mail. */
  load?: typeof loadNodemailer
  /** Certificates to trust in place of the usual authorities', in PEM. */
  ca?: string
}

function toAscii(address: string): string {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + toAsciiDomain(address.slice(at))
}

export interface SmtpMailer extends Mailer {
  /** Loads what the first letter needs; rejects with MailFault, and then the next call or letter tries again. */
  prepare(): Promise<void>
}

/** Mails to one recipient, each letter over a connection of its own. */
export function createMailer(options: MailerOptions): SmtpMailer {
  const { server, from, to, senderName, timeouts = MAIL_TIMEOUTS, ca } = options
  const { load = loadNodemailer } = options
  const openTransport = async () => {
    const { createTransport } = await load().catch((cause) => {
      throw new MailFault(Object.assign(new Error(cause.message, { cause }), { code: NOT_LOADED }))
    })
    return createTransport({
      host: server.host,
      port: server.port,
      secure: server.tls === 'implicit',
      requireTLS: server.tls === 'starttls',
      ignoreTLS: server.tls === 'off',
      // Said outright, because NODE_TLS_REJECT_UNAUTHORIZED could say otherwise.
      tls: { rejectUnauthorized: true, ca },
      auth: server.auth,
      // A server that offers no login is at fault, not to be mailed through without.
      forceAuth: server.auth !== undefined,
      connectionTimeout: timeouts.connection,
      dnsTimeout: timeouts.connection,
      greetingTimeout: timeouts.greeting,
      socketTimeout: timeouts.silence,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  let transport: ReturnType<typeof openTransport> | undefined
  const getTransport = () => {
    transport ??= openTransport().catch((error) => {
      transport = undefined
      throw error
    })
    return transport
  }
  const domain = from.slice(from.lastIndexOf('@') + 1)

  return {
    async prepare() {
      await getTransport()
    },

    async send({ id, subject, text, replyTo }, signal) {
      const answerable = replyTo && isEmail(replyTo.address)
      const reader = { name: toLine(replyTo?.name ?? ''), address: toAscii(replyTo?.address ?? '') }
      const deadline = AbortSignal.timeout(timeouts.total)
      const transport = await getTransport()
      try {
        const { response } = await transport.sendMail({
          envelope: { from, to: [to] },
          from: { name: senderName, address: from },
          to: { name: '', address: to },
          // An object, because nodemailer would read several addresses out of a text.
          replyTo: answerable ? reader : { name: '', address: from },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          textEncoding: 'quoted-printable',
          signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        })
        return response
      } catch (error) {
        throw new MailFault(error as NodemailerError)
      }
    },
  }
}
