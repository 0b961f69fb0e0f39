import { Router } from 'express'
import { Refusal, refuseMethod } from '../errors.ts'

/** /api/test-error, and 404 for unknown paths under /api. */
export function createApiFallback(): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.get('/test-error', (_req, res) => {
    res.locals.label = 'test-error'
    throw new Error('The test page asked for this error')
  })
  router.all('/test-error', refuseMethod('test-error', 'GET, HEAD'))
  router.use((_req, res) => {
    res.locals.label = 'api'
    throw new Refusal('not-found')
  })
  return router
}
