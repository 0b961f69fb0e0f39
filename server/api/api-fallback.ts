import { Router } from 'express'
import { Refusal, refuseMethod } from '../errors.ts'

/** What the developer page calls, and the answer to every path of the API that there is not. */
export function createApiErrors(): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.get('/test-error', (_req, res) => {
    res.locals.label = 'test-error'
    throw new Error('Asked for by the test page')
  })
  router.all('/test-error', refuseMethod('test-error', 'GET, HEAD'))
  router.use((_req, res) => {
    res.locals.label = 'api'
    throw new Refusal('not-found')
  })
  return router
}
