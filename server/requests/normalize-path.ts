import type { RequestHandler } from 'express'
import { Refusal } from '../errors.ts'

/** Refuses a path that cannot be decoded. Redirects a path with repeated or trailing slashes to one without them. */
export const normalizePaths: RequestHandler = (req, res, next) => {
  const { path } = req
  try {
    decodeURIComponent(path)
  } catch {
    throw new Refusal('bad-path')
  }
  // Browsers treat a backslash as a slash, so a redirect to `/\host` would lead to another site.
  const clean = path.replace(/[/\\]{2,}/g, '/').replace(/(.)\/$/, '$1')
  // The target of an OPTIONS request may begin with `*`.
  if (clean === path || !clean.startsWith('/')) {
    next()
    return
  }
  const query = /\?.*/.exec(req.url)?.[0] ?? ''
  res.locals.label = 'redirect'
  res.redirect(308, clean + query)
}
