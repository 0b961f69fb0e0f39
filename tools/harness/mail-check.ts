import type { ReceivedMail } from './smtp.ts'

export const MAIL_FROM = 'site@example.ca'
export const MAIL_TO = 'info@example.ca'

const HEADERS = [
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

const isSubject = (subject: string, id: string) =>
  new RegExp(`^.{1,60} – [\\w’ À-ÿ/]+ \\(${id}\\)$`, 'u').test(subject)

/** No visitor's input may make a check fail. */
export function findMailFaults({ from, to, raw, headers, email }: ReceivedMail): string[] {
  const { messageId = '', subject = '', text = '' } = email
  const [id = ''] = /RG-[\dA-Z]{5}-[\dA-Z]{5}/.exec(messageId) ?? []
  const [replyTo, ...others] = email.replyTo ?? []
  const errors: [string, boolean][] = [
    ['envelope recipient', to.length !== 1 || to[0] !== MAIL_TO],
    ['envelope sender', from !== MAIL_FROM],
    ['headers', email.headers.map(({ originalKey }) => originalKey).join() !== HEADERS.join()],
    ['signs in headers', /[^\x20-\x7e\r\n]/.test(raw.slice(0, raw.indexOf('\r\n\r\n')))],
    ['long lines', raw.split('\r\n').some((line) => line.length > 998)],
    ['To', headers.To !== MAIL_TO],
    ['Subject', !isSubject(subject, id)],
    ['Message-ID', messageId !== `<${id}@example.ca>`],
    ['Reply-To', others.length > 0 || !/^[^@\s]+@[^@\s]+\.\w+/.test(replyTo?.address ?? '')],
    ['our lines in the text', text.split('\n').indexOf('-'.repeat(60)) !== 11],
  ]
  return errors.filter(([, wrong]) => wrong).map(([name]) => name)
}
