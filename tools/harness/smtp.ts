import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { listenLocally } from './process.ts'
import { read } from './project.ts'

/** A self-signed certificate for localhost and 127.0.0.1, valid until 2100, and its key, in PEM. */
export const CERTIFICATE = read('tools/harness/certificate.pem')

/** A planned error of each connection; 451 comes after DATA. */
export type SmtpError = 'reset' | '451' | 'accept then cut' | 'accept then silent'

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
}

interface SmtpOptions {
  error?: SmtpError
  /** TLS from the first byte. */
  secure?: boolean
  /** The only login that the server accepts. Undefined: the server needs no login. */
  user?: { user: string; pass: string }
}

const replyWith = (responseCode: number) =>
  Object.assign(new Error(`planned error ${responseCode}`), { responseCode })

export async function startSmtp({ error, secure, user }: SmtpOptions = {}) {
  const mails: ReceivedMail[] = []
  const findSocket = (session: SMTPServerSession) =>
    [...server.connections].find((connection) => connection.session === session)?._socket

  const server = new SMTPServer({
    key: CERTIFICATE,
    cert: CERTIFICATE,
    secure,
    authOptional: !user,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    onConnect(session, done) {
      smtp.connections += 1
      if (error === 'reset') findSocket(session)?.resetAndDestroy()
      else done()
    },
    onAuth: ({ username, password }, _session, done) =>
      username === user?.user && password === user?.pass
        ? done(null, { user: username })
        : done(replyWith(535)),
    async onData(stream, session, done) {
      // A client that disconnects during DATA has sent no mail.
      const bytes = await buffer(stream).catch(() => undefined)
      if (!bytes) return
      if (error === '451') return done(replyWith(451))
      const { mailFrom, rcptTo } = session.envelope
      const email = await PostalMime.parse(bytes)
      const fields = email.headers.map(({ originalKey, value }) => [originalKey, value])
      mails.push({
        clientName: session.hostNameAppearsAs,
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        raw: bytes.toString(),
        email,
        headers: Object.fromEntries(fields),
      })
      if (error === 'accept then cut') findSocket(session)?.destroy()
      else if (error !== 'accept then silent') done()
    },
  })
  // Without a listener, a client that disconnects would end the process.
  server.on('error', () => {})

  const smtp = {
    port: await listenLocally(server.server),
    mails,
    connections: 0,
    async stop() {
      for (const { _socket } of server.connections) _socket.destroy()
      server.close()
      await once(server.server, 'close')
    },
  }
  return smtp
}

export type Smtp = Awaited<ReturnType<typeof startSmtp>>
