import { Router } from 'express'
import { refuseMethod } from '../requests/paths.ts'

export interface HealthDeps {
  /** True during a shutdown: GET /readyz then answers 503. */
  isStopping: () => boolean
}

/** GET /livez answers 200 while the event loop runs. GET /readyz answers 200, but 503 during a shutdown. */
export function healthRoutes({ isStopping }: HealthDeps): Router {
  const probes = { '/livez': () => false, '/readyz': isStopping }
  const health = Router({ strict: true, caseSensitive: true })
  for (const [path, isDown] of Object.entries(probes)) {
    health
      .route(path)
      .get((_req, res) => {
        const [status, text] = isDown() ? [503, 'stopping\n'] : [200, 'ok\n']
        res.status(status).type('text/plain').set('Cache-Control', 'no-store').send(text)
      })
      .all(refuseMethod('GET, HEAD'))
  }
  return health
}
