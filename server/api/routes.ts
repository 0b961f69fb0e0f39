import type { Response } from 'express'
import type { ContactLimit } from '../../shared/page-state.ts'
import { Refusal } from '../errors.ts'
import type { Routes } from '../requests/routes.ts'
import { createDocument } from './openapi/document.ts'

/** GET /livez answers 200 while the event loop runs. GET /readyz answers 200, but 503 during a shutdown. */
export function createHealthRoutes({ isStopping }: { isStopping: () => boolean }): Routes {
  const send = (res: Response, status: number, text: string) => {
    res.status(status).type('text/plain').send(`${text}\n`)
  }
  return {
    '/livez': { GET: { label: 'health', answer: (_req, res) => send(res, 200, 'ok') } },
    '/readyz': {
      GET: {
        label: 'health',
        answer: (_req, res) => (isStopping() ? send(res, 503, 'stopping') : send(res, 200, 'ok')),
      },
    },
  }
}

/** The OpenAPI document is the same for all requests, so it is created once. */
export function createApiRoutes(origin: string, limit: ContactLimit): Routes {
  const text = JSON.stringify(createDocument(origin, limit))
  return {
    '/api/openapi.json': {
      GET: {
        label: 'openapi',
        answer: (_req, res) => {
          res.type('application/json').set('Cache-Control', 'no-cache').send(text)
        },
      },
    },
    '/api/test-error': {
      GET: {
        label: 'test-error',
        answer: () => {
          throw new Refusal('server-error')
        },
      },
    },
  }
}
