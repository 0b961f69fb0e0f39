import type { Request, RequestHandler, Response } from 'express'
import { Refusal } from '../errors.ts'

/** RFC 3986, 2.3: these characters mean the same with and without percent-encoding. */
const decodeUnreserved = (path: string) =>
  path.replace(/%(?:2d|2e|5f|7e|3\d|[46][1-9a-f]|[57][\da])/gi, decodeURIComponent)

/**
 * Refuses a path that cannot be decoded. Redirects to the plain spelling of a path: without repeated or trailing slashes, and
 * without needless percent-encoding.
 */
export const normalizePaths: RequestHandler = (req, res, next) => {
  const { path } = req
  try {
    decodeURIComponent(path)
  } catch {
    throw new Refusal('bad-path')
  }
  // Browsers treat a backslash as a slash, so a redirect to `/\host` would lead to another site.
  const plain = decodeUnreserved(path)
    .replace(/[/\\]{2,}/g, '/')
    .replace(/(.)\/$/, '$1')
  // The target of an OPTIONS request may begin with `*`.
  if (plain === path || !plain.startsWith('/')) {
    next()
    return
  }
  redirect(req, res, plain)
}

/** To another path of this site, with the query. */
export function redirect(req: Request, res: Response, path: string): void {
  const [query = ''] = /\?.*/.exec(req.url) ?? []
  res.redirect(308, path + query)
}

/** Answers methods that a path does not have. */
export function refuseMethod(allowed: string): RequestHandler {
  return () => {
    throw new Refusal('method-not-allowed', { headers: { Allow: allowed } })
  }
}
