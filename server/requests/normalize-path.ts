import type { RequestHandler } from 'express'
import { Refusal } from '../errors.ts'

/** One address for each page: a path that cannot be decoded is refused, doubled and trailing slashes are redirected. */
export const normalizePaths: RequestHandler = (req, res, next) => {
  try {
    decodeURIComponent(req.path)
  } catch {
    next(new Refusal('bad-path'))
    return
  }
  // Browsers take a backslash for a slash.
  const clean = req.path.replace(/[/\\]{2,}/g, '/').replace(/(.)\/$/, '$1')
  const query = /\?.*/.exec(req.url)?.[0] ?? ''
  if (clean === req.path) next()
  else res.redirect(308, clean + query)
}
