import type { RequestHandler } from 'express'
import { Refusal } from '../errors.ts'

/** Most paths do not match this pattern, so they are passed on at once. */
const NEEDS_WORK = /%|[/\\]{2}|.\/$/

/** Refuses a path that cannot be decoded. Redirects a path with repeated or trailing slashes to its clean form. */
export const normalizePaths: RequestHandler = (req, res, next) => {
  const { path } = req
  if (!NEEDS_WORK.test(path)) {
    next()
    return
  }
  try {
    decodeURIComponent(path)
  } catch {
    next(new Refusal('bad-path'))
    return
  }
  // A redirect to /\host would lead to another site, because browsers treat a backslash as a slash.
  const clean = path.replace(/[/\\]{2,}/g, '/').replace(/(.)\/$/, '$1')
  if (clean === path) {
    next()
    return
  }
  const query = /\?.*/.exec(req.url)?.[0] ?? ''
  res.locals.label = 'redirect'
  res.redirect(308, clean + query)
}
