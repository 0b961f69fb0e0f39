import { createHash } from 'node:crypto'
import { type Response, Router } from 'express'
import type { Config } from '../config/config.ts'
import { Refusal, refuseMethod } from '../errors.ts'
import { createDocument } from './openapi/document.ts'

/** /livez: the event loop turns. /readyz: pages can be served and the process is not shutting down. */
export function createHealth({ isStopping }: { isStopping: () => boolean }): Router {
  const answer = (res: Response, status: number, text: string) => {
    res.locals.label = 'health'
    res.status(status).type('text/plain').send(`${text}\n`)
  }
  const router = Router({ caseSensitive: true, strict: true })
  router.get('/livez', (_req, res) => answer(res, 200, 'ok'))
  router.get('/readyz', (_req, res) =>
    isStopping() ? answer(res, 503, 'stopping') : answer(res, 200, 'ok'),
  )
  router.all(['/livez', '/readyz'], refuseMethod('health', 'GET, HEAD'))
  return router
}

/** GET /api/openapi.json. The document depends on the configuration only, so it is created once. */
export function createOpenApi({ config, origin }: { config: Config; origin: string }): Router {
  const text = JSON.stringify(createDocument(origin, config.contactLimit))
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`

  const router = Router({ caseSensitive: true, strict: true })
  router.get('/api/openapi.json', (req, res) => {
    res.locals.label = 'openapi'
    res.type('application/json').set({ 'Cache-Control': 'no-cache', ETag: etag })
    if (req.fresh) res.status(304).end()
    else res.send(text)
  })
  router.all('/api/openapi.json', refuseMethod('openapi', 'GET, HEAD'))
  return router
}

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
