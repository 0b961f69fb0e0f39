import type { RequestHandler } from 'express'
import { Refusal } from '../errors.ts'

/** Refuses a path that cannot be decoded; redirects repeated and trailing slashes to the page's one address. */
export const normalizePaths: RequestHandler = (req, res, next) => {
  const { path } = req
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
