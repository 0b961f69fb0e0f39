import type { RequestHandler } from 'express'
import { Refusal } from '../errors.ts'

/** Most paths have none of these, and are passed on without more work. */
const NEEDS_WORK = /%|[/\\]{2}|.\/$/

/** Refuses a path that cannot be decoded; redirects repeated and trailing slashes to the page's one address. */
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
  // Browsers treat a backslash as a slash.
  const clean = path.replace(/[/\\]{2,}/g, '/').replace(/(.)\/$/, '$1')
  if (clean === path) {
    next()
    return
  }
  const query = /\?.*/.exec(req.url)?.[0] ?? ''
  res.locals.label = 'redirect'
  res.redirect(308, clean + query)
}
