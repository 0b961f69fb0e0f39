import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { DEFAULT_LANGUAGE } from '../../shared/language.ts'
import type { Metrics } from '../api/metrics/metrics.ts'
import type { Config } from '../config/config.ts'
import { PROBLEM_TYPE, type Refusal, writeProblem } from '../errors.ts'
import { cutAddress, type Logger } from '../log.ts'
import { createSecurityHeaders } from '../requests/security-headers.ts'
import { ServerResponse as NodeResponse, STATUS_CODES } from './node-http.ts'

/** What log and metrics call all that no app has seen. */
const LABEL = 'refused'

/** How long a client that still sends may read what it is told, in ms; closing at once would take it away. */
const LINGER = 1000

export interface RefusalWriter {
  /** Tells a client why its connection ends; `reason` is for the log. */
  tell(socket: Duplex, refusal: Refusal, reason?: string): void
  /** Answers in place of an app that did not; cuts an answer that it has begun. */
  answer(res: ServerResponse, refusal: Refusal): void
}

interface WriterParts {
  config: Config
  log: Logger
  metrics?: Metrics
}

/** Writes refusals that no app writes, as a problem with the headers of every answer, and logs them. */
export function createRefusalWriter({ config, log, metrics }: WriterParts): RefusalWriter {
  const constant = [...createSecurityHeaders(config)].flat()

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

  const anyId = randomUUID()
  const texts = new Map<string, string>()
  /** What is told for a reason, after the Date: always the same but for the id, as a flood of them must be cheap. */
  const getText = (refusal: Refusal): string => {
    const known = texts.get(refusal.code)
    if (known) return known
    const { head, body } = compose(refusal, anyId)
    let lines = ''
    for (let index = 0; index < head.length; index += 2) {
      lines += `${head[index]}: ${head[index + 1]}\r\n`
    }
    texts.set(refusal.code, `${lines}\r\n${body}`)
    return getText(refusal)
  }

  const report = (refusal: Refusal, requestId: string, socket: Duplex, reason?: string) => {
    const address = cutAddress((socket as Socket).remoteAddress)
    metrics?.answered(LABEL, refusal.status, 0, false)
    const entry = { requestId, page: LABEL, status: refusal.status, reason, address }
    if (refusal.status < 500) log.info(entry, 'answered')
    else log.error({ ...entry, err: refusal.cause }, 'answered with a server error')
  }

  return {
    tell(socket, refusal, reason) {
      if (!socket.writable) {
        socket.destroy()
        return
      }
      const requestId = randomUUID()
      const start = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`
      const text = getText(refusal).replaceAll(anyId, requestId)
      socket.end(`${start}\r\nDate: ${new Date().toUTCString()}\r\n${text}`)
      setTimeout(() => socket.destroy(), LINGER).unref()
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
      // The head is complete; the app's own writeHead would add the headers again.
      NodeResponse.prototype.writeHead.call(res, refusal.status, head).end(body)
      report(refusal, requestId, res.req.socket)
    },
  }
}
