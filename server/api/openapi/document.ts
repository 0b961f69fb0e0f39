import type { ContactLimit } from '../../../shared/page-state.ts'
import {
  createContactCall,
  createErrorReportCall,
  createHealthCall,
  createRefusedCall,
} from './calls.ts'
import { createRequestSchema } from './contact-request.ts'
import { headers, parameters } from './headers.ts'
import { createRefusals, headersOf, problemSchema } from './problems.ts'

export interface DocumentParts {
  /** The canonical origin. */
  origin: string
  /** The limit in force. */
  limit: ContactLimit
}

const receiptSchema = {
  type: 'object',
  required: ['reference', 'receivedAt'],
  properties: {
    reference: {
      type: 'string',
      description: 'Names the message, also on the telephone.',
      pattern: '^RG-[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}$',
    },
    receivedAt: {
      type: 'string',
      format: 'date-time',
      description: 'When the message was kept; of the first one when it is repeated.',
    },
  },
}

/** The OpenAPI 3.1 document of what the site answers to programs. */
export function createDocument({ origin, limit }: DocumentParts) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'RG website',
      version: '1.0.0',
      description:
        'What the site of Groupe RG / RG Group answers to programs. Lengths are counted in Unicode code points. A method that a path does not have is answered with 405, a path that there is not with 404; what is no proper request, and what is for another host, on every path as on /api/contact.',
    },
    servers: [{ url: origin }],
    paths: {
      '/api/contact': {
        post: createContactCall(limit),
        get: {
          operationId: 'getContact',
          summary: 'Is not a method of this path, as every other but POST',
          responses: createRefusals(['method-not-allowed'], limit),
        },
      },
      '/api/client-errors': { post: createErrorReportCall(limit) },
      '/api/openapi.json': {
        get: {
          operationId: 'getDescription',
          summary: 'This document',
          responses: {
            200: {
              description: 'An OpenAPI 3.1 document.',
              headers: headersOf(),
              content: { 'application/json': { schema: { type: 'object' } } },
            },
            304: { description: 'It has not changed.', headers: headersOf() },
          },
        },
      },
      '/api/test-error': {
        get: createRefusedCall('testError', 'Fails, for developers', 'server-error', limit),
      },
      '/api/nonexistent-endpoint': {
        get: createRefusedCall('testMissing', 'Is not there, for developers', 'not-found', limit),
      },
      '/livez': { get: createHealthCall('isAlive', 'Does the process live?', false) },
      '/readyz': { get: createHealthCall('isReady', 'Can it serve?', true) },
    },
    components: {
      schemas: {
        ContactRequest: createRequestSchema(),
        Receipt: receiptSchema,
        Problem: problemSchema,
      },
      headers,
      parameters,
    },
  }
}
