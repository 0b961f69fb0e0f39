import type { RequestHandler } from 'express'
import { Refusal } from './errors.ts'

/** One address for each page: a path that cannot be decoded is refused, doubled and trailing slashes are redirected. */
export const normalizePaths: RequestHandler = (req, res, next) => {
  try {
    decodeURIComponent(req.path)
  } catch {
    next(new Refusal('bad-path'))
    return
  }
  const clean = req.path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  if (clean === req.path) next()
  else res.redirect(308, clean + req.url.slice(req.path.length))
}
