import { createServer } from 'node:net'
import type { MailError } from '../../../server/mail/mail-error.ts'
import { createMailer, type Mailer } from '../../../server/mail/mailer.ts'
import type { Letter } from '../../../server/mail/message-letter.ts'
import {
  createTransport,
  type TransportOptions,
  toMailError,
} from '../../../server/mail/transport.ts'
import { MAIL_FROM, MAIL_TO } from '../../../tools/harness/mail-check.ts'
import { listenLocally } from '../../../tools/harness/process.ts'
import { CERTIFICATE, type Smtp, type SmtpError, startSmtp } from '../../../tools/harness/smtp.ts'

const LETTER: Letter = {
  id: 'RG-AAAAA-BBBBB',
  subject: 'Message RG-AAAAA-BBBBB',
  text: 'Référence : RG-AAAAA-BBBBB\n',
  replyTo: { name: 'Zoé, O’Neil', address: 'zoe@exemple.québec' },
}
const timeouts = { connectionMs: 3000, greetingMs: 1500, silenceMs: 3000 }

let smtp: Smtp
afterEach(() => smtp?.stop())

function mailTo(port: number, options: Partial<TransportOptions['server']> = {}) {
  const transport = createTransport({
    server: { host: '127.0.0.1', port, tls: 'off', ...options },
    clientName: 'www.example.ca',
    timeouts,
    ca: CERTIFICATE,
  })
  return createMailer({ transport, from: MAIL_FROM, to: MAIL_TO, timeoutMs: 5000 })
}

const send = (mailer: Mailer, signal?: AbortSignal): Promise<MailError> =>
  mailer.send(LETTER, signal).then(
    () => Promise.reject(new Error('The letter was mailed')),
    (error) => error,
  )

test('mails a letter', async () => {
  smtp = await startSmtp()
  expect(await mailTo(smtp.port).send(LETTER)).toMatch(/^250 /)
  const [mail] = smtp.mails
  expect(mail).toMatchObject({ from: 'site@example.ca', to: ['info@example.ca'] })
  expect(mail?.clientName).toBe('www.example.ca')
  expect(mail?.headers).toEqual({
    From: expect.stringMatching(/ <site@example.ca>$/),
    To: 'info@example.ca',
    'Reply-To': '=?UTF-8?Q?Zo=C3=A9=2C_O=E2=80=99Neil?= <zoe@exemple.xn--qubec-csa>',
    Subject: 'Message RG-AAAAA-BBBBB',
    'Message-ID': '<RG-AAAAA-BBBBB@example.ca>',
    'Auto-Submitted': 'auto-generated',
    'Content-Transfer-Encoding': 'quoted-printable',
    Date: expect.any(String),
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
  })
  expect(mail?.email.text).toBe(LETTER.text)
})

test('a reply to an address in the form of an encoded word goes to the owner', async () => {
  smtp = await startSmtp()
  const replyTo = { name: '', address: '=?utf-8?q?=0D=0A?=@exemple.ca' }
  await mailTo(smtp.port).send({ ...LETTER, replyTo })
  expect(smtp.mails.map(({ headers }) => headers)).toMatchObject([{ 'Reply-To': MAIL_TO }])
})

test.each([
  ['starttls', false],
  ['implicit', true],
] as const)('mails over TLS, %s, with a user', async (tls, secure) => {
  const auth = { user: 'site', pass: 'secret' }
  smtp = await startSmtp({ secure, user: auth })
  expect(await mailTo(smtp.port, { tls, auth }).send(LETTER)).toMatch(/^250 /)
})

test.each<[SmtpError, MailError['kind'], string, number]>([
  ['reset', 'later', 'ESOCKET ECONNRESET CONN: ', 0],
  ['no greeting', 'later', 'ETIMEDOUT GREETING_TIMEOUT CONN: Greeting never received', 0],
  ['drip', 'later', 'ETIMEDOUT GREETING_TIMEOUT CONN: Greeting never received', 0],
  ['421', 'later', 'EPROTOCOL CONN 421', 0],
  ['450', 'later', 'EENVELOPE RCPT TO 450 4.2.1', 0],
  ['550', 'misconfigured', 'planned error 550', 0],
  ['451', 'later', 'EMESSAGE DATA 451 4.3.0', 0],
  ['554', 'refused', 'EMESSAGE DATA 554 5.6.0', 0],
  ['accept then cut', 'later', 'ECONNECTION CONN: Connection closed unexpectedly', 1],
  ['accept then silent', 'later', 'ETIMEDOUT SOCKET_TIMEOUT CONN: Timeout', 1],
  ['accept then drip', 'later', 'EABORT TimeoutError', 1],
])('%s is a %s error', async (smtpError, kind, detail, arrived) => {
  smtp = await startSmtp({ chooseError: () => smtpError })
  const error = await send(mailTo(smtp.port))
  expect(error).toMatchObject({ kind, detail: expect.stringContaining(detail) })
  expect(smtp.mails).toHaveLength(arrived)
})

test('a missing nodemailer counts as wrong settings', () => {
  const cause = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  const error = { kind: 'misconfigured', detail: 'Cannot find package' }
  expect(toMailError(cause)).toMatchObject(error)
})

const RIGHT = { user: 'site', pass: 'right' }
const WRONG = { user: 'site', pass: 'wrong-secret' }
test.each<[string, Parameters<typeof startSmtp>[0], Parameters<typeof mailTo>[1], RegExp]>([
  ['certificate', { chooseError: () => 'bad certificate' }, { tls: 'starttls' }, /self-signed/],
  [
    'certificate, with TLS from the first byte',
    { chooseError: () => 'bad certificate', secure: true },
    { tls: 'implicit' },
    /self-signed/,
  ],
  ['password', { user: RIGHT }, { auth: WRONG }, /^Invalid login/],
])('a wrong %s means wrong settings, and no password is repeated', async (...row) => {
  const [, server, client, text] = row
  smtp = await startSmtp(server)
  const { kind, detail, message } = await send(mailTo(smtp.port, client))
  expect({ kind, detail }).toEqual({ kind: 'misconfigured', detail: expect.stringMatching(text) })
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
  expect(await send(mailTo(port, options))).toMatchObject({ kind: 'misconfigured' })
})

test.each([
  ['starttls', ['220 hello', '250 STARTTLS', '220 go ahead']],
  ['starttls', ['220 hello', '250 STARTTLS', '220 go ahead', 'this is no handshake']],
  ['implicit', []],
  ['implicit', ['this is no handshake']],
] as const)('a broken handshake ends: %s %j', async (tls, lines) => {
  const port = await startScript(...lines)
  const stop = new AbortController()
  const mailer = mailTo(port, { tls })
  const errors = [send(mailer), send(mailer, stop.signal)]
  setTimeout(() => stop.abort(), 50)
  for (const { detail } of await Promise.all(errors)) expect(detail).toMatch(/^E|wrong version/)
})

test('an abort ends the send', async () => {
  smtp = await startSmtp({ chooseError: () => 'no greeting' })
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 20)
  expect((await send(mailTo(smtp.port), stop.signal)).detail).toBe('EABORT AbortError')
})
