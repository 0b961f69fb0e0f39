import { once } from 'node:events'
import { createServer } from 'node:net'
import type { MailFault } from '../../../server/mail/mail-error.ts'
import { createMailer, type Letter, type MailerOptions } from '../../../server/mail/mailer.ts'
import { createCertificate } from '../../../tools/harness/certificate.ts'
import { MAIL_FROM, MAIL_TO, parseMail } from '../../../tools/harness/mail-check.ts'
import { type Fault, findClosedPort, type Smtp, startSmtp } from '../../../tools/harness/smtp.ts'

const LETTER: Letter = {
  id: 'RG-AAAAA-BBBBB',
  subject: 'Message RG-AAAAA-BBBBB',
  text: 'Référence : RG-AAAAA-BBBBB\n',
  replyTo: { name: 'Zoé, O’Neil', address: 'zoe@exemple.québec' },
}
const certificate = createCertificate()
const timeouts = { connection: 3000, greeting: 1500, silence: 3000, total: 5000 }

let smtp: Smtp
afterEach(() => smtp?.stop())

function mailTo(port: number, options: Partial<MailerOptions['server']> = {}) {
  return createMailer({
    server: { host: '127.0.0.1', port, tls: 'off', ...options },
    from: MAIL_FROM,
    to: MAIL_TO,
    senderName: 'Groupe RG',
    timeouts,
    ca: certificate.cert,
  })
}

async function findFault(sent: Promise<unknown>): Promise<MailFault> {
  const fault = await sent.then(
    () => undefined,
    (error) => error,
  )
  expect(fault).toMatchObject({ name: 'MailFault' })
  return fault
}

test('mails a letter', async () => {
  smtp = await startSmtp()
  expect(await mailTo(smtp.port).send(LETTER)).toMatch(/^250 /)
  const [mail] = smtp.mails
  expect(mail).toMatchObject({ from: 'site@example.ca', to: ['info@example.ca'] })
  const { headers, text } = parseMail(mail?.raw ?? '')
  expect(Object.fromEntries(headers)).toEqual({
    From: 'Groupe RG <site@example.ca>',
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
  expect(text).toBe(LETTER.text)
})

test.each([
  ['starttls', false],
  ['implicit', true],
] as const)('mails over TLS, %s, with a user', async (tls, secure) => {
  const auth = { user: 'site', pass: 'secret' }
  smtp = await startSmtp({ certificate, secure, user: auth })
  expect(await mailTo(smtp.port, { tls, auth }).send(LETTER)).toMatch(/^250 /)
})

test.each<[Fault, string, number]>([
  ['reset', 'ESOCKET ECONNRESET CONN', 0],
  ['no greeting', 'ETIMEDOUT GREETING_TIMEOUT CONN', 0],
  ['drip', 'ETIMEDOUT GREETING_TIMEOUT CONN', 0],
  ['421', 'EPROTOCOL CONN 421', 0],
  ['450', 'EENVELOPE RCPT TO 450 4.2.1', 0],
  ['451', 'EMESSAGE DATA 451 4.3.0', 0],
  ['554', 'EMESSAGE DATA 554 5.6.0', 0],
  ['accept then cut', 'ECONNECTION CONN', 1],
  ['accept then silent', 'ETIMEDOUT SOCKET_TIMEOUT CONN', 1],
  ['accept then drip', 'EABORT TimeoutError', 1],
])('%s is a fault for a later try', async (fault, note, arrived) => {
  smtp = await startSmtp({ getFault: () => fault })
  expect(await findFault(mailTo(smtp.port).send(LETTER))).toMatchObject({
    misconfigured: false,
    note,
  })
  expect(smtp.mails).toHaveLength(arrived)
})

test('a refused connection is a fault for a later try', async () => {
  expect(await findFault(mailTo(await findClosedPort()).send(LETTER))).toMatchObject({
    misconfigured: false,
    note: 'ESOCKET ECONNREFUSED CONN',
  })
})

test('550 for the recipient is a fault of our settings', async () => {
  smtp = await startSmtp({ getFault: () => '550' })
  const fault = await findFault(mailTo(smtp.port).send(LETTER))
  expect(fault).toMatchObject({ misconfigured: true, note: expect.stringMatching(/planned 550/) })
})

test.each(['starttls', 'implicit'] as const)(
  'a certificate not to be trusted is one too: %s',
  async (tls) => {
    smtp = await startSmtp({ getFault: () => undefined, secure: tls === 'implicit' })
    const fault = await findFault(mailTo(smtp.port, { tls }).send(LETTER))
    expect(fault).toMatchObject({ misconfigured: true, note: expect.stringMatching(/self-signed/) })
    expect(smtp.mails).toEqual([])
  },
)

test('a wrong password is one too, and is not repeated', async () => {
  smtp = await startSmtp({ user: { user: 'site', pass: 'right' } })
  const auth = { user: 'site', pass: 'wrong-secret' }
  const fault = await findFault(mailTo(smtp.port, { auth }).send(LETTER))
  expect(fault).toMatchObject({
    misconfigured: true,
    note: expect.stringMatching(/^Invalid login/),
  })
  expect(JSON.stringify({ ...fault, message: fault.message })).not.toMatch(/wrong-secret/)
})

/** A server that says one thing to each line, then nothing more. */
async function startScript(...lines: string[]): Promise<number> {
  const server = createServer((socket) => {
    const rest = [...lines]
    socket.on('error', () => {})
    const speak = () => rest.length > 0 && socket.write(`${rest.shift()}\r\n`)
    socket.on('data', speak)
    speak()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  smtp = { stop: async () => void server.close() } as unknown as Smtp
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

test('a server without STARTTLS gets no mail where TLS is due', async () => {
  const port = await startScript('220 hello', '250 no extensions', '502 no', '502 no')
  const fault = await findFault(mailTo(port, { tls: 'starttls' }).send(LETTER))
  expect(fault).toMatchObject({ misconfigured: true })
})

test.each([
  ['starttls', ['220 hello', '250 STARTTLS', '220 go ahead']],
  ['starttls', ['220 hello', '250 STARTTLS', '220 go ahead', 'this is no handshake']],
  ['implicit', []],
  ['implicit', ['this is no handshake']],
] as const)('a handshake that leads nowhere ends: %s %j', async (tls, lines) => {
  const port = await startScript(...lines)
  const stop = new AbortController()
  const faults = [
    findFault(mailTo(port, { tls }).send(LETTER)),
    findFault(mailTo(port, { tls }).send(LETTER, stop.signal)),
  ]
  setTimeout(() => stop.abort(), 50)
  for (const fault of await Promise.all(faults)) expect(fault.note).toMatch(/^E|wrong version/)
})

test('a server without login gets no mail where a user is set', async () => {
  const port = await startScript('220 hello', '250 no extensions', '502 no')
  const fault = await findFault(mailTo(port, { auth: { user: 'a', pass: 'b' } }).send(LETTER))
  expect(fault).toMatchObject({ misconfigured: true })
})

test('a stop ends the send under way', async () => {
  smtp = await startSmtp({ getFault: () => 'no greeting' })
  const stop = new AbortController()
  const sent = mailTo(smtp.port).send(LETTER, stop.signal)
  setTimeout(() => stop.abort(), 20)
  expect((await findFault(sent)).note).toBe('EABORT AbortError')
})
