import { Router } from 'express'
import { rateLimit } from 'express-rate-limit'
import { findPage } from '../../shared/pages.ts'
import { Refusal, refuseMethod } from '../errors.ts'
import { logOf } from '../log.ts'
import { addressKey } from '../requests/address.ts'
import { readJson } from '../requests/body.ts'
import { checkOrigin } from '../requests/origin.ts'

const MAXIMUM_SIZE = 8 * 1024
const REPORTS = { limit: 10, windowMs: 60_000 }

/** One line, without what a visitor may have typed into an address or a form. */
const line = (value: unknown, length: number) =>
  String(value ?? '')
    .replace(/\S+@\S+\.\S+/g, '[e-mail]')
    .replace(/\?\S*/g, '')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, length)

/** POST /api/client-errors: what went wrong in a browser stands in the log, with a request id. */
export function createClientErrors({ publicOrigins }: { publicOrigins: string[] }): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router
    .route('/api/client-errors')
    .all((_req, res, next) => {
      res.locals.label = 'client-errors'
      next()
    })
    .post(
      checkOrigin(publicOrigins),
      rateLimit({
        ...REPORTS,
        keyGenerator: addressKey,
        standardHeaders: 'draft-8',
        legacyHeaders: false,
        handler: (_req, _res, next) => next(new Refusal('too-many-refusals')),
      }),
      readJson(MAXIMUM_SIZE),
      (_req, res) => {
        const { message, stack, path } = res.locals.body
        const page = findPage(String(path))?.id ?? 'not-found'
        const report = { page, message: line(message, 500), stack: line(stack, 4000) }
        logOf(res).error(report, 'a script failed in a browser')
        res.status(204).end()
      },
    )
    .all(refuseMethod('client-errors', 'POST'))
  return router
}
