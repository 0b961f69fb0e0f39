import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { DEFAULT_LANGUAGE } from '../../shared/language.ts'
import type { Metrics } from '../api/metrics.ts'
import type { Config } from '../config/config.ts'
import type { Refusal } from '../errors.ts'
import type { Logger } from '../log.ts'
import { cutAddress } from '../requests/address.ts'
import { createProblem, PROBLEM_TYPE } from '../requests/problem.ts'
import { createSecurityHeaders } from '../requests/security-headers.ts'
import { STATUS_CODES } from './node-http.ts'

const LABEL = 'refused'

/** Time in which a client that is still sending can read the answer: an immediate close would discard it. */
const LINGER_MS = 1000

export interface RawProblemDeps {
  config: Config
  log: Logger
  metrics?: Pick<Metrics, 'answered'>
}

/** The returned function writes a problem to a socket and closes it; `reason` is for the log. */
export function createRawProblems({ config, log, metrics }: RawProblemDeps) {
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
