import type { RequestHandler } from 'express'
import { Refusal } from '../errors.ts'

/** Refuses a path that cannot be decoded; redirects repeated and trailing slashes to the page's one address. */
export const normalizePaths: RequestHandler = (req, res, next) => {
  try {
    decodeURIComponent(req.path)
  } catch {
    next(new Refusal('bad-path'))
    return
  }
  // Browsers treat a backslash as a slash.
  const clean = req.path.replace(/[/\\]{2,}/g, '/').replace(/(.)\/$/, '$1')
  const query = /\?.*/.exec(req.url)?.[0] ?? ''
  if (clean === req.path) {
    next()
    return
  }
  res.locals.label = 'redirect'
  res.redirect(308, clean + query)
}
