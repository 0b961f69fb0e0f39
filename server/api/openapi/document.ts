import type { ContactLimit } from '../../../shared/page-state.ts'
import { createContactCall, POST_CODES } from './contact-call.ts'
import { createRequestSchema, RECEIPT_SCHEMA } from './contact-schemas.ts'
import {
  type Code,
  createJson,
  createRefusals,
  createResponse,
  headers,
  problemSchema,
} from './responses.ts'

export function createDocument(origin: string, limit: ContactLimit) {
  const createRefusedCall = (operationId: string, summary: string, code: Code) => ({
    get: { operationId, summary, responses: createRefusals([code], limit) },
  })
  return {
    openapi: '3.1.0',
    info: {
      title: 'RG website',
      version: '1.0.0',
      description:
        'The calls of the website of Groupe RG / RG Group for programs. Lengths are counted in Unicode code points. Unsupported methods get 405, unknown paths 404. Malformed requests and requests for another host are refused on every path as described for /api/contact.',
    },
    servers: [{ url: origin }],
    // No call needs a login.
    security: [],
    paths: {
      '/api/contact': {
        post: createContactCall(limit),
        ...createRefusedCall(
          'getContact',
          'Not supported, like every method except POST',
          'method-not-allowed',
        ),
      },
      '/api/client-errors': { post: createErrorReportCall(limit) },
      '/api/openapi.json': {
        get: {
          operationId: 'getDescription',
          summary: 'This document',
          responses: {
            200: createResponse('An OpenAPI 3.1 document.', createJson({ type: 'object' })),
            304: createResponse('The document has not changed.'),
          },
        },
      },
      '/api/test-error': createRefusedCall('testError', 'Fails, for developers', 'server-error'),
      '/api/nonexistent-endpoint': createRefusedCall(
        'testMissing',
        'Does not exist, for developers',
        'not-found',
      ),
      '/livez': createHealthCall('isAlive', 'Liveness of the process', {
        200: ['The process is alive.', 'ok\n'],
      }),
      '/readyz': createHealthCall('isReady', 'Readiness of the process', {
        200: ['The process can serve visitors.', 'ok\n'],
        503: ['The process is shutting down.', 'stopping\n'],
      }),
    },
    components: {
      schemas: {
        ContactRequest: createRequestSchema(),
        Receipt: RECEIPT_SCHEMA,
        Problem: problemSchema,
      },
      headers,
    },
  }
}

function createErrorReportCall(limit: ContactLimit) {
  const properties = {
    message: { type: 'string' },
    stack: { type: 'string' },
    path: { type: 'string', description: 'The path of the page.' },
  }
  return {
    operationId: 'reportClientError',
    summary: 'Reports a script error of a browser',
    description:
      'For the pages of the site itself. The log keeps only words that browsers use, and the place in a file of the site.',
    requestBody: {
      required: true,
      content: createJson(
        { type: 'object', properties },
        { message: 'x is not a function', stack: 'TypeError: x is not a function', path: '/' },
      ),
    },
    responses: {
      204: createResponse('The report is in the log.'),
      ...createRefusals(POST_CODES, limit),
    },
  }
}

type HealthAnswers = Record<number, [description: string, example: string]>

function createHealthCall(operationId: string, summary: string, answers: HealthAnswers) {
  const responses = Object.entries(answers).map(([status, [description, example]]) => [
    status,
    createResponse(description, { 'text/plain': { schema: { type: 'string' }, example } }),
  ])
  return { get: { operationId, summary, responses: Object.fromEntries(responses) } }
}
