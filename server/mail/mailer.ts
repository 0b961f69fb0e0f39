import { isEmail, toAsciiDomain } from '../../shared/contact-schema.ts'
import { company } from '../../shared/content/company.ts'
import { type Letter, toLine } from './message-letter.ts'

/** Timeout of a mail: a server that sends single bytes slowly defeats a timeout of its silence. */
const SEND_TIMEOUT_MS = 120_000

/**
 * Sends a letter. Resolves to the server's reply. Rejects with MailError, even if only that reply was lost: `misconfigured`
 * for wrong credentials, addresses or certificates, `refused` if the server refuses this letter permanently, else
 * `later`; so also at an abort. No error has a password. createTransport makes the one for SMTP.
 */
export type Transport = (letter: AddressedLetter, signal: AbortSignal) => Promise<string>
/** Its addresses are in ASCII. */
type AddressedLetter = ReturnType<typeof addressLetter>
export type Mailer = ReturnType<typeof createMailer>

interface MailerOptions {
  transport: Transport
  from: string
  to: string
  timeoutMs?: number
}

function toAscii(address: string): string {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + toAsciiDomain(address.slice(at))
}

function addressLetter({ id, subject, text, replyTo }: Letter, { from, to }: MailerOptions) {
  const isAnswerable = replyTo && isEmail(replyTo.address) && !replyTo.address.includes('=?')
  return {
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    from: { name: `Site Web – ${company.legalName.fr}`, address: from },
    to: { name: '', address: to },
    replyTo: isAnswerable
      ? { name: toLine(replyTo.name), address: toAscii(replyTo.address) }
      : { name: '', address: toAscii(to) },
    subject,
    text,
  }
}

/** Mails to one recipient. */
export function createMailer(options: MailerOptions) {
  const { transport, timeoutMs = SEND_TIMEOUT_MS } = options
  return {
    async send(letter: Letter, signal?: AbortSignal): Promise<string> {
      const timeout = AbortSignal.timeout(timeoutMs)
      const ends = signal ? [signal, timeout] : [timeout]
      return transport(addressLetter(letter, options), AbortSignal.any(ends))
    },
  }
}
