import type { RequestHandler } from 'express'
import type { ContactLimit } from '../../shared/contact-limit.ts'
import { Refusal } from '../errors.ts'
import { answerConstant, compress } from '../pages/constant-answer.ts'
import type { Routes } from '../requests/routes.ts'
import { createOpenApi } from './openapi.ts'

/** GET /livez answers 200 while the event loop runs. GET /readyz answers 200, but 503 during a shutdown. */
export function createHealthRoutes(isStopping: () => boolean): Routes {
  const createProbe =
    (isDown: () => boolean): RequestHandler =>
    (_req, res) => {
      const [status, text] = isDown() ? [503, 'stopping\n'] : [200, 'ok\n']
      res.status(status).type('text/plain').set('Cache-Control', 'no-store').end(text)
    }
  return {
    '/livez': { GET: { label: 'health', answer: createProbe(() => false) } },
    '/readyz': { GET: { label: 'health', answer: createProbe(isStopping) } },
  }
}

export function createApiRoutes(origin: string, limit: ContactLimit): Routes {
  const text = JSON.stringify(createOpenApi(origin, limit))
  const sendDocument = answerConstant('application/json', compress(text))
  const fail = () => {
    throw new Refusal('server-error')
  }
  return {
    '/api/openapi.json': { GET: { label: 'openapi', answer: sendDocument } },
    '/api/test-error': { GET: { label: 'test-error', answer: fail } },
  }
}
