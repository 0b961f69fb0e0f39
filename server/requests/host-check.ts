import type { Request, RequestHandler } from 'express'
import type { ProblemCode } from '../../shared/problems.ts'
import { isLoopback } from '../config/networks.ts'
import { Refusal } from '../errors.ts'

/** Maximum number of headers in a request. A browser sends about 20. */
export const MAX_HEADERS = 100

/** These paths accept any Host, because probes of containers and proxies send an address as Host. */
const HEALTH = new Set(['/livez', '/readyz'])
/** The pattern by which Node recognizes an expectation that it can meet. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i
const DEFAULT_PORT = /:(?:80|443)$/

function countHosts({ rawHeaders }: Request): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  return count
}

/** RFC 9112, 3.2.2: an absolute URL takes precedence over the Host header. */
function findHost({ url, headers }: Request): string {
  if (url.startsWith('/') || url === '*') return headers.host?.toLowerCase() ?? ''
  return URL.parse(url)?.host ?? ''
}

/** Refuses requests that Node accepts but no route should answer. HTTP/1.0 may omit the Host header. */
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
    if (req.headers.expect && !CONTINUE.test(req.headers.expect)) return 'expectation-failed'
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
