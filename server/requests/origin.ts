import type { Request, RequestHandler } from 'express'
import { Refusal } from '../errors.ts'

function isOurs(req: Request, publicOrigins: string[]): boolean {
  const origin = req.get('Origin')
  if (publicOrigins.length > 0) return publicOrigins.includes(origin ?? '')
  const host = URL.parse(origin ?? '')?.host
  return host !== undefined && host === req.get('Host')
}

function isAllowed(req: Request, publicOrigins: string[]): boolean {
  switch (req.get('Sec-Fetch-Site')) {
    case 'same-origin':
    case 'none':
      return true
    case 'same-site':
      return isOurs(req, publicOrigins)
    case undefined:
      return req.get('Origin') === undefined || isOurs(req, publicOrigins)
    default:
      return false
  }
}

/** Refuses requests of other sites' pages. Clients that send neither Origin nor Sec-Fetch-Site are allowed. */
export function createCheckOrigin(publicOrigins: string[]): RequestHandler {
  return (req, _res, next) => {
    if (!isAllowed(req, publicOrigins)) throw new Refusal('cross-site')
    next()
  }
}
