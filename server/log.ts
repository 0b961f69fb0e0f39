import { randomUUID } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import type { RequestHandler, Response } from 'express'
import { type Logger, pino } from 'pino'
import type { CountAnswer } from './api/metrics/request-metrics.ts'
import { describeError } from './error-serializer.ts'
import { findAddress } from './requests/address.ts'

export type { Logger }

/** Bytes that wait for a reader slower than the site; what comes on top of them is dropped. */
const MOST_UNWRITTEN = 16 * 1024 * 1024

/** `base` stands in each line: in which of several processes it was written. */
export function createLog(
  level: string,
  destination: pino.DestinationStream = createOutput(),
  base?: Record<string, number>,
): Logger {
  return pino({ level, base, serializers: { err: describeError } }, destination)
}

/** Standard output. What comes while a write is under way is written after it in one go, so nobody waits for a log. */
function createOutput(): pino.DestinationStream {
  const output = pino.destination({ sync: false, maxLength: MOST_UNWRITTEN })
  const { flushSync } = output
  // A full disk does not stop the site; nor its end, where a last flush would try again for ever.
  output.on('error', () => Object.assign(output, { flushSync: () => {} }))
  output.on('drain', () => Object.assign(output, { flushSync }))
  return output
}

/** An address without the part that names a household: IPv4 to /24, IPv6 to /48. */
export function cutAddress(address: string | undefined): string | undefined {
  if (!address) return undefined
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`
  const mapped = /^::ffff:(\d+\.\d+\.\d+)\.\d+$/i.exec(address)
  if (mapped) return `${mapped[1]}.0/24`
  // A proxy hands on whatever a visitor wrote into X-Forwarded-For.
  if (!isIPv6(address)) return undefined
  const [head = ''] = address.split('::')
  const groups = [...head.split(':').filter(Boolean), '0', '0', '0'].slice(0, 3)
  return `${groups.join(':')}::/48`
}

/** The log of a request: its lines have the request's id. */
export function logOf(res: Response): Logger {
  return res.locals.log.child({ requestId: res.locals.requestId })
}

/** Pino's own way to its destination, which its types leave out. */
interface WithStream {
  [pino.symbols.streamSym]: pino.DestinationStream
}

interface Answered {
  requestId: string
  method: string
  /** What answered. */
  page: string
  status: number
  /** ms */
  duration: number
  /** Without the part that names a household. */
  address: string | undefined
  /** Whether the visitor was gone before the end. */
  left: boolean
}

/**
 * Writes the line of an answer as the log would. All its values come from closed sets and need no escape: pino looks
 * for one in each, and that is a tenth of what a page from memory costs.
 */
function createAnswerLog(log: Logger): (answered: Answered) => void {
  const { [pino.symbols.streamSym]: output } = log as unknown as WithStream
  const bindings = JSON.stringify(log.bindings()).slice(1, -1)
  const start = bindings && `${bindings},`
  const { info, error } = log.levels.values
  let lines: string[] = []
  const writeLines = () => {
    output.write(lines.join(''))
    lines = []
  }
  return ({ requestId, method, page, status, duration, address, left }) => {
    const failed = status >= 500
    if (!log.isLevelEnabled(failed ? 'error' : 'info')) return
    const head = `{"level":${failed ? error : info},"time":${Date.now()},${start}`
    const what = `"requestId":"${requestId}","method":"${method}","page":"${page}","status":${status}`
    const from = address ? `,"address":"${address}"` : ''
    const end = failed ? ',"msg":"answered with a server error"}\n' : ',"msg":"answered"}\n'
    const line = `${head}${what},"duration":${duration}${from}${left ? ',"left":true' : ''}${end}`
    // Those of one turn of the event loop are written together: to write takes longer than to make a line.
    if (lines.push(line) === 1) setImmediate(writeLines)
  }
}

/**
 * Gives every request an id, and logs it when it is over: by the label of what answered,
 * never by path, query or referer, which a visitor may have written into.
 */
export function logRequests(log: Logger, onAnswered?: CountAnswer): RequestHandler {
  const logAnswer = createAnswerLog(log)
  return (req, res, next) => {
    const requestId = randomUUID()
    const start = performance.now()
    // A socket that is cut forgets it.
    const address = findAddress(req)
    res.locals.requestId = requestId
    res.locals.log = log
    res.on('close', () => {
      const duration = performance.now() - start
      const page = res.locals.label ?? 'none'
      const left = !res.writableFinished
      onAnswered?.(page, res.statusCode, duration / 1000, left)
      logAnswer({
        requestId,
        method: req.method,
        page,
        status: res.statusCode,
        duration: Math.round(duration),
        address: cutAddress(address),
        left,
      })
    })
    next()
  }
}
