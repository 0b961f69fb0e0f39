import type { Request, RequestHandler, Response } from 'express'
import type { ProblemCode } from '../../shared/problems.ts'
import { isLoopback } from '../config/networks.ts'
import { Refusal } from '../errors.ts'

/** Maximum number of headers in a request. A browser sends about 20. */
export const MAX_HEADERS = 100

/** The pattern by which Node recognizes an expectation that it can meet. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i
const DEFAULT_PORT = /:(?:80|443)$/

/** Names and values alternate in `rawHeaders`. */
const countHosts = ({ rawHeaders }: Request) =>
  rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length

/** RFC 9112, 3.2.2: an absolute URL takes precedence over the Host header. */
function findHost({ url, headers }: Request): string {
  if (url.startsWith('/') || url === '*') return headers.host?.toLowerCase() ?? ''
  return URL.parse(url)?.host ?? ''
}

/** Refuses faulty headers that Node lets through. HTTP/1.0 may omit the Host header. */
export const checkHeaders: RequestHandler = (req, res, next) => {
  const count = countHosts(req)
  const { expect } = req.headers
  if (count > 1 || (count === 0 && req.httpVersion !== '1.0')) refuse(res, 'malformed-request')
  if (req.rawHeaders.length > 2 * MAX_HEADERS) refuse(res, 'headers-too-large')
  if (expect && !CONTINUE.test(expect)) refuse(res, 'expectation-failed')
  next()
}

/** If PUBLIC_URL is set, refuses requests for any other host except loopback. */
export function checkHost(publicOrigins: string[]): RequestHandler {
  const hosts = new Set(publicOrigins.map((origin) => new URL(origin).host))
  const isOurs = (host: string) =>
    hosts.has(host) ||
    hosts.has(host.replace(DEFAULT_PORT, '')) ||
    isLoopback(host.replace(/:\d{1,5}$/, ''))

  return (req, res, next) => {
    if (hosts.size > 0 && !isOurs(findHost(req))) refuse(res, 'misdirected')
    next()
  }
}

function refuse(res: Response, code: ProblemCode): never {
  res.locals.label = 'refused'
  throw new Refusal(code, { headers: { Connection: 'close' } })
}
