import type { Request, RequestHandler } from 'express'
import type { ProblemCode } from '../../shared/problems.ts'
import { isLoopback } from '../config/networks.ts'
import { Refusal } from '../errors.ts'

/** Maximum number of headers in a request. A browser sends about 20. */
export const MAX_HEADERS = 100

/** These paths accept any Host, because probes of containers and proxies send an address as Host. */
const HEALTH = new Set(['/livez', '/readyz'])
const DEFAULT_PORT = /:(?:80|443)$/

function countHosts({ rawHeaders }: Request): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  return count
}

/** The host that a request is for: an absolute URL takes precedence over the Host header (RFC 9112, 3.2.2). */
function findHost({ url, headers }: Request): string {
  if (url.startsWith('/') || url === '*') return headers.host?.toLowerCase() ?? ''
  return URL.parse(url)?.host ?? ''
}

/**
 * Refuses requests that Node accepts but no route should answer: those with no Host header (HTTP/1.0 may omit it) or
 * with several, with too many headers, with an unknown Expect header, or for a host that is neither this machine nor a
 * public origin. Without public origins any host is accepted.
 */
export function checkTarget(publicOrigins: string[]): RequestHandler {
  const hosts = new Set(publicOrigins.map((origin) => new URL(origin).host))

  const isOurs = (req: Request) => {
    if (hosts.size === 0) return true
    const host = findHost(req)
    if (hosts.has(host) || hosts.has(host.replace(DEFAULT_PORT, ''))) return true
    return isLoopback(host.replace(/:\d{1,5}$/, '')) || HEALTH.has(req.path)
  }

  const findProblem = (req: Request): ProblemCode | undefined => {
    const count = countHosts(req)
    if (count > 1 || (count === 0 && req.httpVersion !== '1.0')) return 'malformed-request'
    if (req.rawHeaders.length > 2 * MAX_HEADERS) return 'headers-too-large'
    if (req.headers.expect && !/100-continue/i.test(req.headers.expect)) return 'expectation-failed'
    return isOurs(req) ? undefined : 'misdirected'
  }

  return (req, res, next) => {
    const problem = findProblem(req)
    if (!problem) {
      next()
      return
    }
    res.locals.label = 'refused'
    next(new Refusal(problem, { headers: { Connection: 'close' } }))
  }
}
