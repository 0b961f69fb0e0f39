import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Express } from 'express'
import { DEFAULT_LANGUAGE } from '../../shared/language.ts'
import type { ProblemCode } from '../../shared/problems.ts'
import type { Parts } from '../app.ts'
import { Refusal } from '../errors.ts'
import { cutAddress } from '../requests/address.ts'
import { createProblem, PROBLEM_TYPE } from '../requests/problem.ts'
import { createSecurityHeaders } from '../requests/security-headers.ts'
import type { Listening } from './listen.ts'
import { STATUS_CODES } from './node-http.ts'

const DROP_LOG_INTERVAL_MS = 60_000

const CODES: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
}

/** Express calls `done` for requests that it does not answer; the types of Express omit this parameter. */
type Handle = (req: IncomingMessage, res: ServerResponse, done: (error?: unknown) => void) => void

type PassDeps = Pick<Parts, 'config' | 'log' | 'metrics'>

/** One object per connection, updated by each request: a WeakMap entry per request would slow garbage collection. */
interface Connection {
  lastAnswer: ServerResponse
}

/** Connections with a malformed or too slow request. Its end may never come. */
const failed = new WeakSet<Duplex>()

/** Reads what a client still sends before the connection closes. Otherwise the client would lose the answer. */
function readBeforeClosing(socket: Socket, connection: Connection): void {
  const close = () => Socket.prototype.destroySoon.call(socket)
  socket.destroySoon = () => {
    const { req } = connection.lastAnswer
    if (req.complete || failed.has(socket)) {
      close()
      return
    }
    socket.end()
    req.once('end', close).resume()
  }
}

/** Counts every dropped connection, and logs at most one line in each interval. */
function createDropLog({ log, metrics }: PassDeps): () => void {
  let quietUntil = 0
  return () => {
    metrics?.dropped()
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + DROP_LOG_INTERVAL_MS
    log.warn(
      'connections refused: too many are open; limit the connections of each client in the firewall or the proxy',
    )
  }
}

/** Passes requests to the app. Answers CONNECT, and what Node's parser or the app cannot handle. */
export function passToApp(listening: Listening, app: Express, parts: PassDeps): void {
  const handle: Handle = app
  const endWithProblem = createRawProblems(parts)
  const connections = new WeakMap<Duplex, Connection>()

  // Express's own answer to a bad URL or a failed error handler could show a stack.
  const pass = (req: IncomingMessage, res: ServerResponse) =>
    handle(req, res, (cause) => {
      const refusal = new Refusal(cause ? 'server-error' : 'bad-path', { cause })
      if (res.socket && !res.headersSent) endWithProblem(res.socket, refusal)
      else res.destroy()
    })

  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    const known = connections.get(req.socket)
    if (known) known.lastAnswer = res
    else {
      const connection = { lastAnswer: res }
      connections.set(req.socket, connection)
      readBeforeClosing(req.socket, connection)
    }
    // A pipelined answer may never get a socket. Wait for the socket before the app stores a message.
    if (res.socket) pass(req, res)
    else res.once('socket', () => pass(req, res))
  }

  /** Refuses a request and ends the connection. Waits first for the answers to earlier, complete requests. */
  const endAfterAnswer = (socket: Duplex, refusal: Refusal, reason?: string) => {
    const answer = connections.get(socket)?.lastAnswer
    const end = () => endWithProblem(socket, refusal, reason)
    if (!answer || answer.closed) end()
    else if (answer.req.complete) answer.once('close', end)
    else if (answer.socket || !socket.writable) end()
    // The broken request waits for its turn: refuse it then, in place of passing it to the app.
    else answer.removeAllListeners('socket').once('socket', end)
  }

  const onClientError = (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Each further piece of a broken request causes another error.
    if (failed.has(socket)) return
    failed.add(socket)
    const answer = connections.get(socket)?.lastAnswer
    const isTooLate = answer && !answer.req.complete && answer.headersSent
    if (error.code === 'ECONNRESET' || isTooLate) {
      socket.destroy()
      return
    }
    const refusal = new Refusal(CODES[error.code ?? ''] ?? 'malformed-request')
    endAfterAnswer(socket, refusal, error.code)
  }

  const onConnect = (_req: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {})
    socket.resume()
    const headers = { Allow: 'GET, HEAD, POST' }
    endAfterAnswer(socket, new Refusal('method-not-allowed', { headers }))
  }

  // body.ts sends 100-continue. A client that is refused before may still send the body, so close the connection.
  const onContinue = (req: IncomingMessage, res: ServerResponse) => {
    res.shouldKeepAlive = false
    onRequest(req, res)
  }

  listening.httpClasses.setApp(app)
  listening.answer(onRequest)
  const onDrop = createDropLog(parts)
  for (const server of listening.servers) {
    server.on('checkContinue', onContinue)
    server.on('checkExpectation', onRequest)
    server.on('clientError', onClientError)
    server.on('connect', onConnect)
    server.on('drop', onDrop)
  }
}

const LABEL = 'refused'

/** Time in which a client that is still sending can read the answer: an immediate close would discard it. */
const LINGER_MS = 1000

/** The returned function writes a problem to a socket and closes it; `reason` is for the log. */
function createRawProblems({ config, log, metrics }: PassDeps) {
  const securityHeaders = [...createSecurityHeaders(config)]

  return (socket: Duplex, refusal: Refusal, reason?: string): void => {
    if (!socket.writable) {
      socket.destroy()
      return
    }
    const { status, code, cause } = refusal
    const requestId = randomUUID()
    const address = socket instanceof Socket ? cutAddress(socket.remoteAddress) : undefined
    const language = DEFAULT_LANGUAGE
    const problem = createProblem(refusal, { limit: config.contactLimit, language, requestId })
    const body = JSON.stringify(problem)
    const headers = [
      ...securityHeaders,
      ...Object.entries(refusal.headers),
      ['Date', new Date().toUTCString()],
      ['X-Request-Id', requestId],
      ['Problem-Code', code],
      ['Content-Type', `${PROBLEM_TYPE}; charset=utf-8`],
      ['Content-Language', language],
      ['Content-Length', Buffer.byteLength(body)],
      ['Cache-Control', 'no-store'],
      ['Connection', 'close'],
    ]
    const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`
    const head = [start, ...headers.map((pair) => pair.join(': '))]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
    metrics?.answered(LABEL, status, 0)
    const entry = { requestId, page: LABEL, status, code, reason, address }
    if (status < 500) log.info(entry, 'request answered')
    else log.error({ ...entry, err: cause }, 'request answered with a server error')
  }
}
