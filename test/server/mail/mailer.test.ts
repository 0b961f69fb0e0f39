import { createServer } from 'node:net'
import {
  createMailer,
  type MailError,
  type Mailer,
  type MailerOptions,
} from '../../../server/mail/mailer.ts'
import type { OutgoingMail } from '../../../server/mail/message-mail.ts'
import { MAIL_FROM, MAIL_TO } from '../../../tools/harness/mail-check.ts'
import { listenLocally } from '../../../tools/harness/process.ts'
import { CERTIFICATE, type Smtp, type SmtpError, startSmtp } from '../../../tools/harness/smtp.ts'

const MAIL: OutgoingMail = {
  id: 'RG-AAAAA-BBBBB',
  subject: 'Message RG-AAAAA-BBBBB',
  text: 'Référence : RG-AAAAA-BBBBB\n',
  replyTo: { name: 'Zoé, O’Neil', address: 'zoe@exemple.québec' },
}

let smtp: Smtp
afterEach(() => smtp?.stop())

function mailTo(port: number, options: Partial<MailerOptions['server']> = {}, more = {}) {
  const server = { host: '127.0.0.1', port, tls: 'off', ...options } as const
  return createMailer({ server, ca: CERTIFICATE, from: MAIL_FROM, to: MAIL_TO, ...more })
}

const send = (mailer: Mailer, signal?: AbortSignal): Promise<MailError> =>
  mailer.send(MAIL, signal).then(
    () => Promise.reject(new Error('It was mailed')),
    (error) => error,
  )

test('mails a message', async () => {
  smtp = await startSmtp()
  expect(await mailTo(smtp.port).send(MAIL)).toMatch(/^250 /)
  const [mail] = smtp.mails
  expect(mail).toMatchObject({ from: 'site@example.ca', to: ['info@example.ca'] })
  expect(mail?.clientName).toBe('example.ca')
  expect(mail?.headers).toEqual({
    From: expect.stringMatching(/ <site@example.ca>$/),
    To: 'info@example.ca',
    'Reply-To': '=?UTF-8?Q?Zo=C3=A9=2C_O=E2=80=99Neil?= <zoe@exemple.xn--qubec-csa>',
    Subject: 'Message RG-AAAAA-BBBBB',
    'Message-ID': '<RG-AAAAA-BBBBB@example.ca>',
    'Content-Transfer-Encoding': 'quoted-printable',
    Date: expect.any(String),
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
  })
  expect(mail?.email.text).toBe(MAIL.text)
})

test.each([
  ['starttls', false],
  ['implicit', true],
] as const)('mails over TLS, %s, with a user', async (tls, secure) => {
  const auth = { user: 'site', pass: 'secret' }
  smtp = await startSmtp({ secure, user: auth })
  expect(await mailTo(smtp.port, { tls, auth }).send(MAIL)).toMatch(/^250 /)
})

test('the daily letter alone is marked as automatic', async () => {
  smtp = await startSmtp()
  await mailTo(smtp.port).send({ ...MAIL, isAutomatic: true })
  expect(smtp.mails[0]?.headers).toMatchObject({ 'Auto-Submitted': 'auto-generated' })
})

test.each<[SmtpError, string, number]>([
  ['reset', 'ESOCKET ECONNRESET CONN', 0],
  ['451', 'EMESSAGE DATA 451 4.3.0', 0],
  ['accept then cut', 'ECONNECTION CONN', 1],
  ['accept then silent', 'EABORT TimeoutError', 1],
])('after %s, no setting is wrong: %s', async (planned, detail, arrived) => {
  smtp = await startSmtp({ error: planned })
  const isSlow = detail.includes('Timeout')
  const error = await send(mailTo(smtp.port, {}, isSlow ? { sendTimeoutMs: 500 } : {}))
  expect(error).toMatchObject({ variable: undefined, detail: expect.stringContaining(detail) })
  expect(smtp.mails).toHaveLength(arrived)
})

test.each([
  // A mailbox or system that is full, a quota, greylisting.
  ['RCPT', '452 4.2.2 mailbox full', undefined],
  ['RCPT', '552 no', undefined],
  ['RCPT', '550 5.2.2 over quota', undefined],
  ['MAIL', '550 5.4.5 trop de messages', undefined],
  ['MAIL', "550 5.1.90 you've reached your daily limit", undefined],
  ['RCPT', '550 5.1.1 mailbox over quota', undefined],
  ['RCPT', '550 Mailbox full', undefined],
  ['RCPT', '451 4.7.1 greylisted', undefined],
  ['DATA', '550 5.7.1 spam', undefined],
  // Wrong settings.
  ['RCPT', '550 5.1.1 no such user', 'MAIL_TO'],
  ['RCPT', '550 5.4.1 no such recipient', 'MAIL_TO'],
  ['MAIL', '550 5.7.60 may not send as this sender', 'MAIL_FROM'],
])('%s answered with %s: %s is wrong', async (command, reply, variable) => {
  const accepted = ['250 hello', '250 ok', '250 ok', '354 go on']
  const index = ['EHLO', 'MAIL', 'RCPT', 'DATA'].indexOf(command)
  const answers = [...accepted.slice(0, index), reply]
  const port = await startScript('220 hello', ...answers)
  const error = await send(mailTo(port))
  expect(error).toMatchObject({ variable, detail: expect.stringContaining(reply.slice(0, 3)) })
})

const RIGHT = { user: 'site', pass: 'right' }
const WRONG = { user: 'site', pass: 'wrong-secret' }
test.each<[string, Parameters<typeof startSmtp>[0], Parameters<typeof mailTo>[1], RegExp]>([
  ['certificate', {}, { tls: 'starttls' }, /self-signed/],
  ['password', { user: RIGHT }, { auth: WRONG }, /^Invalid login/],
])('a wrong %s means wrong settings, and no password is repeated', async (...row) => {
  const [, server, client, text] = row
  smtp = await startSmtp(server)
  const { variable, detail, message } = await send(mailTo(smtp.port, client, { ca: undefined }))
  expect({ variable, message }).toEqual({
    variable: 'SMTP_URL',
    message: expect.stringMatching(text),
  })
  expect(detail + message).not.toContain(WRONG.pass)
  expect(smtp.mails).toEqual([])
})

/** Starts a server that greets with the first of `lines`, answers with the next ones, and is then silent. */
async function startScript(...lines: string[]): Promise<number> {
  const server = createServer((socket) => {
    const rest = [...lines]
    socket.on('error', () => {})
    const answer = () => rest.length > 0 && socket.write(`${rest.shift()}\r\n`)
    socket.on('data', answer)
    answer()
  })
  smtp = { stop: async () => void server.close() } as unknown as Smtp
  return listenLocally(server)
}

test.each<[string, Parameters<typeof mailTo>[1]]>([
  ['STARTTLS gets no mail when TLS is required', { tls: 'starttls' }],
  ['login gets no mail when a user is configured', { auth: { user: 'a', pass: 'b' } }],
])('a server without %s', async (_, options) => {
  const port = await startScript('220 hello', '250 no extensions', '502 no', '502 no')
  expect(await send(mailTo(port, options))).toMatchObject({ variable: 'SMTP_URL' })
})

test('an abort ends the send', async () => {
  const port = await startScript()
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 20)
  expect((await send(mailTo(port), stop.signal)).detail).toBe('EABORT AbortError')
})
