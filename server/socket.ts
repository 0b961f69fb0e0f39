import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Express } from 'express'
import { DEFAULT_LANGUAGE } from '../shared/language.ts'
import type { ProblemCode } from '../shared/problems.ts'
import type { Config } from './config.ts'
import { PROBLEM_TYPE, Refusal, writeProblem } from './errors.ts'
import { STATUS_CODES } from './http.ts'
import type { Listening } from './listen.ts'
import { cutAddress, type Logger } from './log.ts'
import type { Metrics } from './ops/metrics.ts'
import { createSecurityHeaders } from './security.ts'

/** How long a client that still sends may read what it is told, in ms; closing at once would take it away. */
const LINGER = 1000
/** How often refused connections are logged at most, in ms. */
const DROP_REPORTS = 60_000

/**
 * Now and then a proxy opens its connections anew, and so spreads them over the processes that there are.
 * Counted here: Node's own bound answers without headers, and does not close.
 */
const MAXIMUM_REQUESTS = 100_000

/** What log and metrics call all that no app has seen. */
const LABEL = 'refused'

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

/** Has an app answer what servers are asked, and answers what never becomes a request that an app sees. */
export function serve(listening: Listening, app: Express, parts: SocketParts): void {
  const { config, log, maximumRequests = MAXIMUM_REQUESTS } = parts
  const handle: Handle = app
  const constant = [...createSecurityHeaders(config)].flat()
  const connections = new WeakMap<Duplex, Connection>()
  const told = new WeakSet<Duplex>()
  const onDrop = createDropReport(log)

  const compose = (refusal: Refusal, requestId: string) => {
    const language = DEFAULT_LANGUAGE
    const body = writeProblem(refusal, { limit: config.contactLimit, language, requestId })
    const head = [
      ...[...constant, ...Object.entries(refusal.headers).flat()],
      ...['X-Request-Id', requestId],
      ...['Content-Type', `${PROBLEM_TYPE}; charset=utf-8`],
      ...['Content-Language', language],
      ...['Content-Length', String(Buffer.byteLength(body))],
      ...['Cache-Control', 'no-store'],
      ...['Connection', 'close'],
    ]
    return { head, body }
  }

  const report = (refusal: Refusal, requestId: string, socket: Duplex, reason?: string) => {
    const address = cutAddress((socket as Socket).remoteAddress)
    const entry = { requestId, page: LABEL, status: refusal.status, reason, address }
    parts.metrics?.answered(LABEL, refusal.status, 0, false)
    if (refusal.status < 500) log.info(entry, 'answered')
    else log.error({ ...entry, err: refusal.cause }, 'answered with a server error')
  }

  /** Tells a client, past any app, why its connection ends. */
  const tell = (socket: Duplex, refusal: Refusal, reason?: string) => {
    if (!socket.writable) {
      socket.destroy()
      return
    }
    const requestId = randomUUID()
    const { head, body } = compose(refusal, requestId)
    const lines = [`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`]
    for (let index = 0; index < head.length; index += 2) {
      lines.push(`${head[index]}: ${head[index + 1]}`)
    }
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
    setTimeout(() => socket.destroy(), LINGER).unref()
    report(refusal, requestId, socket, reason)
  }

  const onClientError = (error: NodeJS.ErrnoException, socket: Duplex) => {
    // The bytes that still come are errors, too.
    if (told.has(socket)) return
    told.add(socket)
    const answer = connections.get(socket)?.answer
    const isOwnBody = answer && !answer.req.complete
    if (error.code === 'ECONNRESET' || (isOwnBody && answer.headersSent)) {
      socket.destroy()
      return
    }
    const refusal = new Refusal(CODES[error.code ?? ''] ?? 'malformed-request')
    // An answer under way is somebody's whole request: it ends first.
    if (answer && !isOwnBody && !answer.closed) {
      answer.once('close', () => tell(socket, refusal, error.code))
    } else {
      tell(socket, refusal, error.code)
    }
  }

  /** What an app leaves: an address that its router cannot read, or an error of its error handlers. */
  const answerLast = (res: ServerResponse, error?: unknown) => {
    if (res.headersSent) {
      res.destroy()
      return
    }
    const refusal = new Refusal(error ? 'server-error' : 'bad-path', { cause: error })
    const requestId = randomUUID()
    const { head, body } = compose(refusal, requestId)
    for (const name of res.getHeaderNames()) res.removeHeader(name)
    res.writeHead(refusal.status, head).end(body)
    report(refusal, requestId, res.req.socket)
  }

  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    const connection = connections.get(req.socket) ?? { requests: 0, answer: res }
    connection.requests += 1
    connection.answer = res
    if (connection.requests === 1) connections.set(req.socket, connection)
    // What was sent ahead, after the last request, is not looked at: its answer could not be sent.
    if (connection.requests > maximumRequests) return
    if (connection.requests === maximumRequests) res.setHeader('Connection', 'close')
    // Without this last step express would answer with a page of its own, and a stack.
    handle(req, res, (error) => answerLast(res, error))
  }

  listening.messages.adopt(app)
  listening.answer(onRequest)
  for (const server of listening.servers) {
    server.on('checkExpectation', onRequest)
    server.on('clientError', onClientError)
    server.on('connect', (_req, socket) => {
      socket.on('error', () => {})
      socket.resume()
      tell(socket, new Refusal('method-not-allowed', { headers: { Allow: 'GET, HEAD, POST' } }))
    })
    server.on('drop', onDrop)
  }
}

/** Logs that connections were refused: the first at once, those after it together. */
function createDropReport(log: Logger): () => void {
  let refused = 0
  let waiting = false
  const report = () => {
    log.warn({ refused }, 'connections were refused: there are too many')
    refused = 0
    waiting = true
    setTimeout(() => {
      waiting = false
      if (refused > 0) report()
    }, DROP_REPORTS).unref()
  }
  return () => {
    refused += 1
    if (!waiting) report()
  }
}
