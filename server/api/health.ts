import { type Response, Router } from 'express'
import { refuseMethod } from '../errors.ts'

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
