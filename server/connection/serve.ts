import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Express } from 'express'
import type { ProblemCode } from '../../shared/problems.ts'
import type { Metrics } from '../api/metrics/metrics.ts'
import type { Config } from '../config/config.ts'
import { Refusal } from '../errors.ts'
import type { Logger } from '../log.ts'
import { createDropReport } from './dropped-connections.ts'
import type { Listening } from './listen.ts'
import { createRefusalWriter } from './raw-problem.ts'

/**
 * Now and then a proxy opens its connections anew, and so spreads them over the processes that there are.
 * Counted here: Node's own bound answers without headers, and does not close.
 */
const MAXIMUM_REQUESTS = 100_000

const CODES: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
}

/** An express application can hand on what it does not answer, which its type leaves out. */
type Handle = (req: IncomingMessage, res: ServerResponse, done: (error?: unknown) => void) => void

interface SocketParts {
  config: Config
  log: Logger
  metrics?: Metrics
  /** After so many a connection ends. */
  maximumRequests?: number
}

interface Connection {
  requests: number
  /** The last answer that was begun. */
  answer: ServerResponse
}

/**
 * Node closes a connection right after its last answer, and a client that still sends loses that answer. So the rest
 * of its request is read first, for as long as a request may take.
 */
function readBeforeClosing(socket: Socket, connection: Connection): void {
  const close = () => Socket.prototype.destroySoon.call(socket)
  socket.destroySoon = () => {
    const { req } = connection.answer
    if (req.complete) {
      close()
      return
    }
    socket.end()
    req.once('end', close).resume()
  }
}

/** Has an app answer what servers are asked, and answers what never becomes a request that an app sees. */
export function serve(listening: Listening, app: Express, parts: SocketParts): void {
  const { log, maximumRequests = MAXIMUM_REQUESTS } = parts
  const handle: Handle = app
  const writer = createRefusalWriter(parts)
  const connections = new WeakMap<Duplex, Connection>()
  const told = new WeakSet<Duplex>()

  /** An answer under way is somebody's whole request: it ends first. */
  const tellAfterAnswer = (socket: Duplex, refusal: Refusal, reason?: string) => {
    const answer = connections.get(socket)?.answer
    if (answer?.req.complete && !answer.closed) {
      answer.once('close', () => writer.tell(socket, refusal, reason))
    } else {
      writer.tell(socket, refusal, reason)
    }
  }

  const onClientError = (error: NodeJS.ErrnoException, socket: Duplex) => {
    // The bytes that still come are errors, too.
    if (told.has(socket)) return
    told.add(socket)
    const answer = connections.get(socket)?.answer
    const isTooLate = answer && !answer.req.complete && answer.headersSent
    if (error.code === 'ECONNRESET' || isTooLate) {
      socket.destroy()
      return
    }
    const refusal = new Refusal(CODES[error.code ?? ''] ?? 'malformed-request')
    tellAfterAnswer(socket, refusal, error.code)
  }

  const onConnect = (_req: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {})
    socket.resume()
    const headers = { Allow: 'GET, HEAD, POST' }
    tellAfterAnswer(socket, new Refusal('method-not-allowed', { headers }))
  }

  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    const connection = connections.get(req.socket) ?? { requests: 0, answer: res }
    connection.requests += 1
    connection.answer = res
    if (connection.requests === 1) {
      connections.set(req.socket, connection)
      readBeforeClosing(req.socket, connection)
    }
    // What was sent ahead, after the last request, is not looked at: its answer could not be sent.
    if (connection.requests > maximumRequests) return
    if (connection.requests === maximumRequests) res.setHeader('Connection', 'close')
    // What an app leaves: an address that its router cannot read, or an error of its error handlers. Without
    // this step express would answer with a page of its own, and a stack.
    handle(req, res, (cause) => {
      writer.answer(res, new Refusal(cause ? 'server-error' : 'bad-path', { cause }))
    })
  }

  // Whoever reads the body invites it. Who is refused before may send it or not, so the connection ends.
  const onContinue = (req: IncomingMessage, res: ServerResponse) => {
    res.shouldKeepAlive = false
    onRequest(req, res)
  }

  listening.messages.adopt(app)
  listening.answer(onRequest)
  const onDrop = createDropReport(log)
  const countDrop = () => parts.metrics?.dropped()
  for (const server of listening.servers) {
    server.on('checkContinue', onContinue)
    server.on('checkExpectation', onRequest)
    server.on('clientError', onClientError)
    server.on('connect', onConnect)
    server.on('drop', onDrop).on('drop', countDrop)
  }
}
