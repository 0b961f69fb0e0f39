import { Router } from 'express'
import { rateLimit } from 'express-rate-limit'
import { findPage } from '../../shared/pages.ts'
import { Refusal, refuseMethod } from '../errors.ts'
import { logOf } from '../log.ts'
import { addressKey } from '../requests/address.ts'
import { createAddressCounts } from '../requests/address-counts.ts'
import { readJson } from '../requests/body.ts'
import { checkOrigin } from '../requests/origin.ts'
import type { Metrics } from './metrics/metrics.ts'
import { findPlaces, keepKnownWords } from './scrub-client-error.ts'

const MAXIMUM_SIZE = 8 * 1024
const REPORTS = { limit: 10, windowMs: 60_000 }

const LONGEST_MESSAGE = 500

// String() would throw at an object whose toString is none.
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

interface ClientErrorsParts {
  publicOrigins: string[]
  metrics?: Metrics
}

/** POST /api/client-errors: what went wrong in a browser stands in the log, with a request id. */
export function createClientErrors({ publicOrigins, metrics }: ClientErrorsParts): Router {
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
        store: createAddressCounts(REPORTS),
        keyGenerator: addressKey,
        standardHeaders: 'draft-8',
        legacyHeaders: false,
        handler: (_req, _res, next) => next(new Refusal('too-many-refusals')),
      }),
      readJson(MAXIMUM_SIZE),
      (_req, res) => {
        const { message, stack, path } = res.locals.body ?? {}
        const page = findPage(textOf(path))?.id ?? 'not-found'
        metrics?.clientError(page)
        const text = keepKnownWords(textOf(message).slice(0, LONGEST_MESSAGE))
        const report = { page, message: text, places: findPlaces(textOf(stack)) }
        logOf(res).error(report, 'a script failed in a browser')
        res.status(204).end()
      },
    )
    .all(refuseMethod('client-errors', 'POST'))
  return router
}
