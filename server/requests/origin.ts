import type { Request, RequestHandler } from 'express'
import { Refusal } from '../errors.ts'

function isAllowed(req: Request, publicOrigins: string[]): boolean {
  const origin = req.get('Origin')
  const isOurs =
    publicOrigins.length > 0
      ? publicOrigins.includes(origin ?? '')
      : URL.parse(origin ?? '')?.host === (req.get('Host') ?? '')
  switch (req.get('Sec-Fetch-Site')) {
    case 'same-origin':
    case 'none':
      return true
    case 'same-site':
      return isOurs
    case undefined:
      return origin === undefined || isOurs
    default:
      return false
  }
}

/**
 * Refuses requests of other sites' pages. Clients that send neither Origin nor Sec-Fetch-Site are allowed. While PUBLIC_URL is
 * not set, the site is wherever the request's Host says.
 */
export function createCheckOrigin(publicOrigins: string[]): RequestHandler {
  return (req, _res, next) => {
    if (!isAllowed(req, publicOrigins)) throw new Refusal('cross-site')
    next()
  }
}
