import type { Request, RequestHandler } from 'express'
import type { ProblemCode } from '../../shared/problems.ts'
import { isLoopback } from '../config/networks.ts'
import { Refusal } from '../errors.ts'

/** A browser sends about 20 headers. */
export const MAX_HEADERS = 100

/** Probes of containers and proxies use an address as Host. */
const HEALTH = new Set(['/livez', '/readyz'])
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

function getHosts(origin: string): string[] {
  const { protocol, host, port } = new URL(origin)
  return port ? [host] : [host, `${host}:${DEFAULT_PORTS[protocol]}`]
}

function countHosts({ rawHeaders }: Request): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** The host of an absolute URL, which takes precedence over Host (RFC 9112, 3.2.2). */
function findHost({ url, headers }: Request): string {
  if (url.startsWith('/') || url === '*') return headers.host?.toLowerCase() ?? ''
  return URL.parse(url)?.host ?? ''
}

/**
 * Refuses requests that Node accepts and no route can answer: a missing (except in HTTP/1.0) or second Host, too many
 * headers, an unknown expectation, and a host that is none of the public origins, if there are any.
 */
export function checkTarget(publicOrigins: string[]): RequestHandler {
  const hosts = new Set(publicOrigins.flatMap(getHosts))

  const isOurs = (req: Request) => {
    if (hosts.size === 0) return true
    const host = findHost(req)
    return hosts.has(host) || isLoopback(host.replace(/:\d{1,5}$/, '')) || HEALTH.has(req.path)
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
