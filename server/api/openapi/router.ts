import { createHash } from 'node:crypto'
import { Router } from 'express'
import type { Config } from '../../config/config.ts'
import { refuseMethod } from '../../errors.ts'
import { createDocument } from './document.ts'

interface OpenApiParts {
  config: Pick<Config, 'contactLimit'>
  origin: string
}

/** GET /api/openapi.json. The document depends on the configuration only, so it is created once. */
export function createOpenApi({ config, origin }: OpenApiParts): Router {
  const text = JSON.stringify(createDocument({ origin, limit: config.contactLimit }))
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
