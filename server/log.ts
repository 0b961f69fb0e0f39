import { randomUUID } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import type { RequestHandler, Response } from 'express'
import { type Logger, pino } from 'pino'
import { describeError } from './describe-error.ts'
import type { CountAnswer } from './ops/request-metrics.ts'
import { findAddress } from './requests/address.ts'

export type { Logger }

/** `base` stands in each line: in which of several processes it was written. */
export function createLog(
  level: string,
  destination?: pino.DestinationStream,
  base?: Record<string, number>,
): Logger {
  return pino({ level, base, serializers: { err: describeError } }, destination)
}

/** An address without the part that names a household: IPv4 to /24, IPv6 to /48. */
export function cutAddress(address: string | undefined): string | undefined {
  if (!address) return undefined
  const mapped = /^::ffff:(\d+\.\d+\.\d+)\.\d+$/i.exec(address)
  if (mapped) return `${mapped[1]}.0/24`
  if (isIPv4(address)) return address.replace(/\.\d+$/, '.0/24')
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

/**
 * Gives every request an id, and logs it when it is over: by the label of what answered,
 * never by path, query or referer, which a visitor may have written into.
 */
export function logRequests(log: Logger, onAnswered?: CountAnswer): RequestHandler {
  return (req, res, next) => {
    const id = randomUUID()
    const start = performance.now()
    res.locals.requestId = id
    res.locals.log = log
    res.once('close', () => {
      const duration = performance.now() - start
      const entry = {
        requestId: id,
        method: req.method,
        page: res.locals.label ?? 'none',
        status: res.statusCode,
        duration: Math.round(duration),
        address: cutAddress(findAddress(req)),
        left: res.writableFinished ? undefined : true,
      }
      onAnswered?.(entry.page, res.statusCode, duration / 1000, !res.writableFinished)
      if (res.statusCode >= 500) log.error(entry, 'answered with a server error')
      else log.info(entry, 'answered')
    })
    next()
  }
}
