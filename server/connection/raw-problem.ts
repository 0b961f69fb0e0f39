import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { DEFAULT_LANGUAGE } from '../../shared/language.ts'
import type { Config } from '../config/config.ts'
import { PROBLEM_TYPE, type Refusal, writeProblem } from '../errors.ts'
import { ServerResponse as NodeResponse, STATUS_CODES } from '../fast-path/node-http.ts'
import type { Logger } from '../log.ts'
import { cutAddress } from '../requests/address.ts'
import type { CountAnswer } from '../requests/log-requests.ts'
import { createSecurityHeaders } from '../requests/security-headers.ts'

const LABEL = 'refused'

/** Time for a client that still sends to read the answer: an immediate close would discard the answer. */
const LINGER_MS = 1000

export interface RawProblemParts {
  config: Config
  log: Logger
  metrics?: { answered: CountAnswer }
}

interface RawProblems {
  /** Writes a problem to a socket and closes it; `reason` is for the log. */
  end(socket: Duplex, refusal: Refusal, reason?: string): void
  /** Answers a request that the app did not answer; closes the connection if an answer has begun. */
  answer(res: ServerResponse, refusal: Refusal): void
}

/** Answers requests that the app does not answer, with the same security headers as the app. */
export function createRawProblems({ config, log, metrics }: RawProblemParts): RawProblems {
  const constant = [...createSecurityHeaders(config)]

  const compose = (refusal: Refusal, requestId: string) => {
    const language = DEFAULT_LANGUAGE
    const body = writeProblem(refusal, { limit: config.contactLimit, language, requestId })
    const head = [
      ...constant,
      ...Object.entries(refusal.headers),
      ['X-Request-Id', requestId],
      ['Content-Type', `${PROBLEM_TYPE}; charset=utf-8`],
      ['Content-Language', language],
      ['Content-Length', String(Buffer.byteLength(body))],
      ['Cache-Control', 'no-store'],
      ['Connection', 'close'],
    ]
    return { head, body }
  }

  const report = (refusal: Refusal, requestId: string, socket: Duplex, reason?: string) => {
    const address = socket instanceof Socket ? cutAddress(socket.remoteAddress) : undefined
    metrics?.answered(LABEL, refusal.status, 0)
    const { status, code, cause } = refusal
    const entry = { requestId, page: LABEL, status, code, reason, address }
    if (status < 500) log.info(entry, 'request answered')
    else log.error({ ...entry, err: cause }, 'request answered with a server error')
  }

  return {
    end(socket, refusal, reason) {
      if (!socket.writable) {
        socket.destroy()
        return
      }
      const requestId = randomUUID()
      const { head, body } = compose(refusal, requestId)
      const lines = [
        `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
        `Date: ${new Date().toUTCString()}`,
        ...head.map((pair) => pair.join(': ')),
      ]
      socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
      setTimeout(() => socket.destroy(), LINGER_MS).unref()
      report(refusal, requestId, socket, reason)
    },
    answer(res, refusal) {
      if (res.headersSent) {
        res.destroy()
        return
      }
      const requestId = randomUUID()
      const { head, body } = compose(refusal, requestId)
      for (const name of res.getHeaderNames()) res.removeHeader(name)
      // The app's own writeHead would add the headers again.
      NodeResponse.prototype.writeHead.call(res, refusal.status, head.flat()).end(body)
      report(refusal, requestId, res.req.socket)
    },
  }
}
