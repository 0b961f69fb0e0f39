import { FAULT_CODES, MIN_FILL_MS } from '../../../shared/contact-fields.ts'
import {
  type ContactLimit,
  MAX_CONTACT_BYTES,
  REFUSAL_LIMIT,
} from '../../../shared/contact-limit.ts'
import { company } from '../../../shared/content/company.ts'
import { en } from '../../../shared/content/index.ts'
import { PROBLEMS } from '../../../shared/problems.ts'
import { REPEAT_HOURS } from '../../../shared/retention.ts'
import { SERVICE_IDS } from '../../../shared/sectors.ts'
import { STATUS_CODES } from '../../connection/node-http.ts'
import { IDEMPOTENCY_KEY_PATTERN } from '../../inbox/message.ts'
import { PROBLEM_TYPE } from '../../requests/problem.ts'
import { createSchemas } from './schemas.ts'

export function createOpenApi(origin: string, limit: ContactLimit) {
  return {
    openapi: '3.1.0',
    info: {
      title: `${en.brand.name} website`,
      version: '1.0.0',
      contact: { name: company.legalName.en, email: company.email },
      description:
        'The HTTP API of the website. Lengths are counted in Unicode code points. Values are trimmed and composed (NFC) first: some are accepted that this makes valid. Unsupported methods get 405, unknown paths 404. Every page and file refuses malformed requests, and requests for another host if PUBLIC_URL is set, as described for /api/contact.',
    },
    servers: [{ url: origin }],
    tags: [{ name: 'contact', description: 'Requests for information' }],
    // No call needs a login.
    security: [],
    paths: { '/api/contact': { post: createContactCall(limit) } },
    components: { schemas: createSchemas() },
  }
}

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
    description:
      'The language of `detail`: English if it is preferred to French, otherwise French. A language cookie takes precedence. Some refusals of malformed or slow requests are in French: see Content-Language.',
    schema: { type: 'string' },
    example: 'en',
  },
]

function createContactCall(limit: ContactLimit) {
  return {
    operationId: 'sendContactRequest',
    tags: ['contact'],
    summary: 'Sends a request for information',
    description: [
      `The answer is 200 only after the message is stored durably. An IP address (IPv6: its /56) may send ${limit.count} messages in ${limit.windowMinutes} minutes.`,
      `The same content from the same address within ${REPEAT_HOURS} h is answered with the first reference; nothing new is stored. With the same Idempotency-Key this holds for any address, and the repetition does not count towards the limit.`,
      `A body has at most ${MAX_CONTACT_BYTES} bytes. After ${REFUSAL_LIMIT.count} refusals in ${REFUSAL_LIMIT.windowMinutes} minutes every request of the address is refused until that time is over. Refusals with a 5xx status do not count.`,
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
        headers: COMMON_HEADERS,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Receipt' },
            example: { reference: 'RG-7K3M9-QXT4P', receivedAt: '2026-05-04T12:00:00.000Z' },
          },
        },
      },
      ...createRefusals(),
    },
  }
}

const header = (description: string, type = 'string') => ({ description, schema: { type } })

/** Headers of the answer 200, which a refusal may have too. */
const COMMON_HEADERS = {
  'X-Request-Id': header('Identifies the request in the log of the site.'),
  RateLimit: header('The remaining part of the limit, by draft-ietf-httpapi-ratelimit-headers-08.'),
  'RateLimit-Policy': header('The limit itself, by draft-ietf-httpapi-ratelimit-headers-08.'),
}

const REFUSAL_HEADERS = {
  ...COMMON_HEADERS,
  'Content-Language': header('The language of every `detail`: fr or en.'),
  'Problem-Code': header('The `code` of the problem.'),
  'Retry-After': header(
    'With 429, 503 and `too-fast`: number of seconds to wait before the next try.',
    'integer',
  ),
  'Form-Start-Time': header(
    `With \`too-fast\`: the server’s time; send it as formStartTime after ${MIN_FILL_MS} ms.`,
  ),
  Accept: header('With 415: the media type that the path accepts.'),
}

/** A POST to /api/contact never causes these problems. */
const OF_OTHER_CALLS = ['bad-path', 'not-found', 'method-not-allowed']

/** One response for each status; its description names the codes. */
function createRefusals() {
  const codes = [...FAULT_CODES.map((code) => [code, 400] as const), ...Object.entries(PROBLEMS)]
  const ofCall = codes.filter(([code]) => !OF_OTHER_CALLS.includes(code))
  const refusals = [...Map.groupBy(ofCall, ([, status]) => status)].map(([status, group]) => {
    const names = group.map(([code]) => `\`${code}\``).join(', ')
    const refusal = {
      description: `${STATUS_CODES[status]}. Codes: ${names}.`,
      headers: REFUSAL_HEADERS,
      content: {
        [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } },
        'text/plain': {
          schema: {
            type: 'string',
            description: '`detail` alone, for a client that prefers text.',
          },
        },
      },
    }
    return [status, refusal] as const
  })
  return Object.fromEntries(refusals)
}
