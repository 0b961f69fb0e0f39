import { Router } from 'express'
import { rateLimit } from 'express-rate-limit'
import { findPage } from '../../shared/pages.ts'
import { Refusal, refuseMethod } from '../errors.ts'
import { getRequestLog } from '../log.ts'
import { getAddressKey } from '../requests/address.ts'
import { createAddressCounts } from '../requests/address-counts.ts'
import { readJson } from '../requests/body.ts'
import { checkOrigin } from '../requests/origin.ts'
import type { Metrics } from './metrics/metrics.ts'
import { findPlaces, keepKnownWords } from './scrub-client-error.ts'

const MAX_BODY_BYTES = 8 * 1024
const MAX_MESSAGE_LENGTH = 500
/** For each address. */
const REPORT_LIMIT = { limit: 10, windowMs: 60_000 }

// String() throws on objects without a callable toString.
const toText = (value: unknown) => (typeof value === 'string' ? value : '')

interface ClientErrorsParts {
  publicOrigins: string[]
  metrics?: Metrics
}

/** POST /api/client-errors: logs a script error of a browser. */
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
        ...REPORT_LIMIT,
        store: createAddressCounts(REPORT_LIMIT),
        keyGenerator: getAddressKey,
        standardHeaders: 'draft-8',
        legacyHeaders: false,
        handler: (_req, _res, next) => next(new Refusal('too-many-refusals')),
      }),
      readJson(MAX_BODY_BYTES),
      (_req, res) => {
        const { message, stack, path } = res.locals.body ?? {}
        const page = findPage(toText(path))?.id ?? 'not-found'
        metrics?.clientError(page)
        const text = keepKnownWords(toText(message).slice(0, MAX_MESSAGE_LENGTH))
        const report = { page, message: text, places: findPlaces(toText(stack)) }
        getRequestLog(res).error(report, 'a script failed in a browser')
        res.status(204).end()
      },
    )
    .all(refuseMethod('client-errors', 'POST'))
  return router
}
