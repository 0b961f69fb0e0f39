import {
  MAX_CONTACT_BYTES,
  REFUSAL_LIMIT,
  REPEAT_HOURS,
  SERVICE_IDS,
} from '../../../shared/constants.ts'
import type { ContactLimit } from '../../../shared/page-state.ts'
import { isListed, PROBLEMS } from '../../../shared/problems.ts'
import { IDEMPOTENCY_KEY_PATTERN } from '../../inbox/message.ts'
import { createRefusals, describeHeaders } from './responses.ts'
import { createSchemas } from './schemas.ts'

export function createDocument(origin: string, limit: ContactLimit) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'RG website',
      version: '1.0.0',
      description:
        'The HTTP API of the website of Groupe RG / RG Group. Lengths are counted in Unicode code points. Unsupported methods get 405, unknown paths 404. Malformed requests and requests for another host are refused on every path as described for /api/contact.',
    },
    servers: [{ url: origin }],
    // No call needs a login.
    security: [],
    paths: { '/api/contact': { post: createContactCall(limit) } },
    components: { schemas: createSchemas() },
  }
}

/** A POST to /api/contact never causes these problems. */
const OF_OTHER_CALLS = ['bad-path', 'not-found', 'method-not-allowed']
const PROBLEM_CODES = Object.keys(PROBLEMS)
  .filter((code) => !OF_OTHER_CALLS.includes(code))
  .filter((code) => isListed(code, PROBLEMS))

const PARAMETERS = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description: `Makes a request safe to repeat for ${REPEAT_HOURS} h.`,
    schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN.source },
  },
  {
    name: 'Accept-Language',
    in: 'header',
    description: 'The language of every `detail`; French unless English is first.',
    schema: { type: 'string' },
    example: 'en',
  },
]

function createContactCall(limit: ContactLimit) {
  return {
    operationId: 'sendContactRequest',
    summary: 'Sends a request for information',
    description: [
      `The answer is 200 only after the message is stored durably. An IP address may send ${limit.count} messages in ${limit.windowMinutes} minutes.`,
      `The same content from the same address within ${REPEAT_HOURS} h is answered with the first reference; nothing new is stored. With the same Idempotency-Key this holds for any address, and the repetition does not count.`,
      `A body has at most ${MAX_CONTACT_BYTES} bytes. After ${REFUSAL_LIMIT.count} refusals in ${REFUSAL_LIMIT.windowMinutes} minutes every request of the address is refused until that time is over. Every refusal except 5xx counts.`,
      'There are no CORS headers: requests from pages of other sites are refused.',
    ].join('\n\n'),
    parameters: PARAMETERS,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ContactRequest' },
          example: {
            firstName: 'Zoé',
            lastName: 'L’Écuyer',
            email: 'zoe@example.ca',
            service: SERVICE_IDS[1],
            message: 'Hello,\nwe are looking for a training session.',
            formStartTime: '1777896000000',
          },
        },
      },
    },
    responses: {
      200: {
        description: 'The message is stored, now or earlier.',
        headers: describeHeaders('X-Request-Id', 'RateLimit', 'RateLimit-Policy'),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Receipt' },
            example: { reference: 'RG-7K3M9-QXT4P', receivedAt: '2026-05-04T12:00:00.000Z' },
          },
        },
      },
      ...createRefusals(PROBLEM_CODES, limit),
    },
  }
}
