import type { Express, Response } from 'express'
import type { Config } from '../config/config.ts'
import { Refusal, refuseMethod } from '../errors.ts'
import { createDocument } from './openapi/document.ts'

/** GET /livez answers 200 while the event loop runs. GET /readyz answers 200, but 503 during a shutdown. */
export function addHealth(app: Express, { isStopping }: { isStopping: () => boolean }): void {
  const answer = (res: Response, status: number, text: string) => {
    res.locals.label = 'health'
    res.status(status).type('text/plain').send(`${text}\n`)
  }
  app.get('/livez', (_req, res) => answer(res, 200, 'ok'))
  app.get('/readyz', (_req, res) =>
    isStopping() ? answer(res, 503, 'stopping') : answer(res, 200, 'ok'),
  )
  app.all(['/livez', '/readyz'], refuseMethod('health', 'GET, HEAD'))
}

/** GET /api/openapi.json. The document is the same for all requests, so it is created once. */
export function addOpenApi(
  app: Express,
  { config, origin }: { config: Config; origin: string },
): void {
  const text = JSON.stringify(createDocument(origin, config.contactLimit))
  app.get('/api/openapi.json', (_req, res) => {
    res.locals.label = 'openapi'
    res.type('application/json').set('Cache-Control', 'no-cache').send(text)
  })
  app.all('/api/openapi.json', refuseMethod('openapi', 'GET, HEAD'))
}

export function addApiFallback(app: Express): void {
  app.get('/api/test-error', (_req, res) => {
    res.locals.label = 'test-error'
    throw new Refusal('server-error')
  })
  app.all('/api/test-error', refuseMethod('test-error', 'GET, HEAD'))
  app.use('/api', (_req, res) => {
    res.locals.label = 'api'
    throw new Refusal('not-found')
  })
}
