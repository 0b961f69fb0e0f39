import type { Request, RequestHandler } from 'express'
import type { ProblemCode } from '../../shared/problems.ts'
import { isLoopback } from '../config/networks.ts'
import { MAXIMUM_HEADERS } from '../connection/listen.ts'
import { Refusal } from '../errors.ts'

/** Probes of containers and proxies ask by address. */
const HEALTH = new Set(['/livez', '/readyz'])
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

function hostsOf(origin: string): string[] {
  const { protocol, host, port } = new URL(origin)
  return port ? [host] : [host, `${host}:${DEFAULT_PORTS[protocol]}`]
}

/** How often a header of this lower-case name was sent. */
function count(req: Request, name: string): number {
  let times = 0
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    const sent = req.rawHeaders[index]
    if (sent?.length === name.length && sent.toLowerCase() === name) times += 1
  }
  return times
}

/** Whom a request is for: what stands in its address, when that is a whole one (RFC 9112, 3.2.2), else its Host. */
function findHost({ url, headers }: Request): string {
  if (url.startsWith('/') || url === '*') return headers.host?.toLowerCase() ?? ''
  return URL.parse(url)?.host ?? ''
}

/**
 * Refuses what Node lets through and no page is for: a request without one Host (HTTP/1.0 aside), with headers
 * that were dropped, with a foreign expectation, and, where the site has origins, one for another host.
 */
export function checkTarget(publicOrigins: string[]): RequestHandler {
  const ours = new Set(publicOrigins.flatMap(hostsOf))

  const isOurs = (req: Request) => {
    const host = findHost(req)
    return (
      ours.size === 0 ||
      ours.has(host) ||
      isLoopback(host.replace(/:\d{1,5}$/, '')) ||
      HEALTH.has(req.path)
    )
  }

  const findProblem = (req: Request): ProblemCode | undefined => {
    const hosts = count(req, 'host')
    if (hosts > 1 || (hosts === 0 && req.httpVersion !== '1.0')) return 'malformed-request'
    if (req.rawHeaders.length > 2 * MAXIMUM_HEADERS) return 'headers-too-large'
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
