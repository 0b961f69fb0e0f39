import { Router } from 'express'
import { refuseMethod } from '../errors.ts'

/** /livez: the event loop turns. /readyz: pages can be served, and the process is not about to stop. */
export function createHealth({ isStopping }: { isStopping: () => boolean }): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.get('/livez', (_req, res) => {
    res.locals.label = 'health'
    res.type('text/plain').send('ok\n')
  })
  router.get('/readyz', (_req, res) => {
    res.locals.label = 'health'
    const stopping = isStopping()
    res
      .status(stopping ? 503 : 200)
      .type('text/plain')
      .send(stopping ? 'stopping\n' : 'ok\n')
  })
  router.all(['/livez', '/readyz'], refuseMethod('health', 'GET, HEAD'))
  return router
}
