import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { listenLocally } from './process.ts'
import { read } from './project.ts'

/** A self-signed certificate for localhost and 127.0.0.1, valid until 2100, and its key, in PEM. */
export const CERTIFICATE = read('tools/harness/certificates/trusted.pem')
/** For the error `bad certificate`: clients are told to trust only the other one. */
const UNTRUSTED_CERTIFICATE = read('tools/harness/certificates/untrusted.pem')

/** Planned errors; a connection has one of them or none. */
export const SMTP_ERRORS = [
  'reset',
  'no greeting',
  'drip', // an endless greeting, byte by byte
  '421',
  '450', // after RCPT, like 550
  '550',
  '451', // after DATA, like 554
  '554',
  'accept then cut',
  'accept then silent',
  'accept then drip', // an endless answer, byte by byte
  'bad certificate',
] as const
export type SmtpError = (typeof SMTP_ERRORS)[number]

/** A mail that the server accepted; the client may not have received the answer. */
export interface ReceivedMail {
  /** The name in the client's EHLO. */
  clientName: string
  from: string
  to: string[]
  raw: string
  email: Email
  /** The unfolded value of each header field. */
  headers: Record<string, string>
  smtpError: SmtpError | undefined
}

/** Time between two bytes of an endless greeting or answer. */
const DRIP_MS = 50

interface SmtpOptions {
  /** Called once for each connection. */
  chooseError?: () => SmtpError | undefined
  /** The address to listen on; 127.0.0.1 by default. */
  host?: string
  /** TLS from the first byte. */
  secure?: boolean
  /** The only login that the server accepts. Undefined: the server needs no login. */
  user?: { user: string; pass: string }
}

const replyWith = (responseCode: number) =>
  Object.assign(new Error(`planned error ${responseCode}`), { responseCode })

export async function startSmtp(options: SmtpOptions = {}) {
  const { chooseError, host, secure, user } = options
  const mails: ReceivedMail[] = []
  /** Sockets that no SMTPServer handles. Only an SMTPServer knows its own, because STARTTLS replaces them. */
  const sockets = new Set<Socket>()
  const errors = new Map<number, SmtpError | undefined>()
  const findError = ({ remotePort }: SMTPServerSession) => errors.get(remotePort)

  function drip(socket: Socket, start: string): void {
    socket.write(start)
    const timer = setInterval(() => socket.write('x'), DRIP_MS)
    socket.once('close', () => clearInterval(timer))
  }

  function answer(session: SMTPServerSession, done: (error?: Error) => void): void {
    const smtpError = findError(session)
    const connection = [...backends.good.connections, ...backends.bad.connections].find(
      (candidate) => candidate.session === session,
    )
    if (smtpError === '451' || smtpError === '554') done(replyWith(Number(smtpError)))
    else if (smtpError === 'accept then cut') connection?._socket.destroy()
    else if (smtpError === 'accept then drip' && connection) drip(connection._socket, '250-')
    else if (smtpError !== 'accept then silent') done()
  }

  function createBackend(certificate: string): SMTPServer {
    const backend = new SMTPServer({
      key: certificate,
      cert: certificate,
      secure,
      authOptional: !user,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: false,
      onConnect: (session, done) => done(findError(session) === '421' ? replyWith(421) : null),
      onAuth: ({ username, password }, _session, done) =>
        username === user?.user && password === user?.pass
          ? done(null, { user: username })
          : done(replyWith(535)),
      onRcptTo(_address, session, done) {
        const smtpError = findError(session)
        done(smtpError === '450' || smtpError === '550' ? replyWith(Number(smtpError)) : null)
      },
      async onData(stream, session, done) {
        // A client that disconnects during DATA has sent no mail.
        const bytes = await buffer(stream).catch(() => undefined)
        if (!bytes) return
        const { mailFrom, rcptTo } = session.envelope
        const smtpError = findError(session)
        if (smtpError !== '451' && smtpError !== '554') {
          const to = rcptTo.map(({ address }) => address)
          const email = await PostalMime.parse(bytes)
          const fields = email.headers.map(({ originalKey, value }) => [originalKey, value])
          mails.push({
            clientName: session.hostNameAppearsAs,
            from: mailFrom ? mailFrom.address : '',
            to,
            raw: bytes.toString(),
            email,
            headers: Object.fromEntries(fields),
            smtpError,
          })
        }
        answer(session, done)
      },
    })
    // Without a listener, a client that disconnects would end the process.
    backend.on('error', () => {})
    return backend
  }

  const backends = {
    good: createBackend(CERTIFICATE),
    bad: createBackend(UNTRUSTED_CERTIFICATE),
  }

  const smtp = {
    port: 0,
    mails,
    connections: 0,
    async stop() {
      front.close()
      for (const socket of sockets) socket.destroy()
      for (const backend of Object.values(backends)) {
        for (const { _socket } of backend.connections) _socket.destroy()
        backend.close()
      }
      await once(front, 'close')
    },
  }

  const front = createServer((socket) => {
    smtp.connections += 1
    const smtpError = chooseError?.()
    errors.set(Number(socket.remotePort), smtpError)
    if (smtpError !== 'reset' && smtpError !== 'drip' && smtpError !== 'no greeting') {
      const backend = smtpError === 'bad certificate' ? backends.bad : backends.good
      backend.server.emit('connection', socket)
      return
    }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => {})
    if (smtpError === 'reset') socket.resetAndDestroy()
    if (smtpError === 'drip') drip(socket, '220-')
  })
  smtp.port = await listenLocally(front, host)
  return smtp
}

export type Smtp = Awaited<ReturnType<typeof startSmtp>>
