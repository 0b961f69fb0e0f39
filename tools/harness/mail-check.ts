import addressparser from 'nodemailer/lib/addressparser'
import type { ReceivedMail } from './smtp.ts'

export const MAIL_FROM = 'site@example.ca'
export const MAIL_TO = 'info@example.ca'

const HEADERS = [
  'Auto-Submitted',
  'From',
  'To',
  'Reply-To',
  'Subject',
  'Message-ID',
  'Content-Transfer-Encoding',
  'Date',
  'MIME-Version',
  'Content-Type',
]

/** Splits a mail into its unfolded header fields, as [name, value], and its decoded text. */
export function parseMail(raw: string): { headers: [string, string][]; text: string } {
  const end = raw.indexOf('\r\n\r\n')
  const headers = raw
    .slice(0, end)
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n')
    .map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
  return { headers, text: decodeQuotedPrintable(raw.slice(end + 4)) }
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replaceAll('\r\n', '\n')
    .replace(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** Decodes the encoded words (RFC 2047, only UTF-8 with Q) of an unfolded header value. */
function decodeWords(value: string): string {
  return value
    .replaceAll('?= =?UTF-8?Q?', '')
    .replace(/=\?UTF-8\?Q\?(.*)\?=/, (_, words: string) =>
      decodeQuotedPrintable(words.replaceAll('_', ' ')),
    )
}

const isSubject = (subject: string, id: string) =>
  new RegExp(`^.{1,60} – [\\w’ À-ÿ/]+ \\(${id}\\)$`, 'u').test(subject)

/** No visitor's input may make a check fail. */
export function findMailFaults({ from, to, raw }: ReceivedMail): string[] {
  const { headers, text } = parseMail(raw)
  const values = Object.fromEntries(headers)
  const [id = ''] = /RG-[\dA-Z]{5}-[\dA-Z]{5}/.exec(values['Message-ID'] ?? '') ?? []
  const replyTo = addressparser(values['Reply-To'] ?? '')
  const errors: [string, boolean][] = [
    ['envelope recipient', to.length !== 1 || to[0] !== MAIL_TO],
    ['envelope sender', from !== MAIL_FROM],
    ['headers', headers.map(([name]) => name).join() !== HEADERS.join()],
    ['signs in headers', /[^\x20-\x7e\r\n]/.test(raw.slice(0, raw.indexOf('\r\n\r\n')))],
    ['long lines', raw.split('\r\n').some((line) => line.length > 998)],
    ['To', values.To !== MAIL_TO],
    ['Subject', !isSubject(decodeWords(values.Subject ?? ''), id)],
    ['Message-ID', values['Message-ID'] !== `<${id}@example.ca>`],
    ['Reply-To', replyTo.length !== 1 || !/^[^@\s]+@[^@\s]+\.\w+/.test(replyTo[0]?.address ?? '')],
    ['our lines in the text', text.split('\n').indexOf('-'.repeat(60)) !== 11],
  ]
  return errors.filter(([, wrong]) => wrong).map(([name]) => name)
}
