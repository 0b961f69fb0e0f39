import type { Request, RequestHandler } from 'express'
import { Refusal } from '../errors.ts'

function isAllowed(req: Request, origins: string[]): boolean {
  const origin = req.get('Origin')
  const isOurs = origins.includes(origin ?? '')
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

/** Refuses requests of other sites' pages. Clients that send neither Origin nor Sec-Fetch-Site are allowed. */
export function createCheckOrigin(origins: string[]): RequestHandler {
  return (req, _res, next) => {
    if (!isAllowed(req, origins)) throw new Refusal('cross-site')
    next()
  }
}
