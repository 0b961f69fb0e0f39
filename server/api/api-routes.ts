import { Router } from 'express'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import { refuseMethod } from '../requests/paths.ts'
import type { BrowserErrors } from './browser-errors.ts'
import { createOpenApi } from './openapi.ts'

export interface ApiDeps {
  config: Pick<Config, 'contactLimit'>
  /** Canonical origin. */
  origin: string
  browserErrors: BrowserErrors
}

/** The calls besides POST /api/contact. */
export function apiRoutes({ config, origin, browserErrors }: ApiDeps): Router {
  const document = createOpenApi(origin, config.contactLimit)
  const api = Router({ strict: true, caseSensitive: true })
  api
    .route('/api/openapi.json')
    .get((_req, res) => res.set('Cache-Control', 'no-cache').json(document))
    .all(refuseMethod('GET, HEAD'))
  api
    .route('/api/test-error')
    .get(() => {
      throw new Refusal('server-error')
    })
    .all(refuseMethod('GET, HEAD'))
  api.route('/api/browser-errors').post(browserErrors.receive).all(refuseMethod('POST'))
  return api
}
