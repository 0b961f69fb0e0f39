import {
  CONTACT_MAXIMUM_SIZE,
  REFUSAL_LIMIT,
  REPEAT_HOURS,
  SERVICE_IDS,
} from '../../../shared/constants.ts'
import { FAULT_CODES } from '../../../shared/contact.ts'
import type { ContactLimit } from '../../../shared/page-state.ts'
import { type Code, createRefusals, headersOf } from './problems.ts'

const refs = (kind: string, ...names: string[]) =>
  names.map((name) => ({ $ref: `#/components/${kind}/${name}` }))

const GUARDS: Code[] = [
  'malformed-json',
  'not-utf8',
  'not-an-object',
  'cross-site',
  'too-large',
  'unsupported-media-type',
  'too-many-refusals',
  'server-error',
]

/** What is refused before anyone looks for whom it is: on every path, and described here once. */
const ANYWHERE: Code[] = [
  'malformed-request',
  'request-timeout',
  'expectation-failed',
  'misdirected',
  'headers-too-large',
]

const json = (schema: object, example: unknown) => ({ 'application/json': { schema, example } })

/** The contact call, with every answer that it has. */
export function createContactCall(limit: ContactLimit) {
  const codes: Code[] = [
    ...FAULT_CODES,
    ...GUARDS,
    'bad-idempotency-key',
    'limit-reached',
    'unavailable',
    ...ANYWHERE,
  ]
  return {
    operationId: 'sendContactRequest',
    summary: 'Sends a request for information',
    description: [
      `Answered with 200 only once the message is safely kept. An address may send ${limit.count} messages in ${limit.windowMinutes} minutes.`,
      `The same content from the same address within ${REPEAT_HOURS} h is answered with the first reference, and nothing new is kept; so it is, from any address and without counting, with the same Idempotency-Key.`,
      `A body has at most ${CONTACT_MAXIMUM_SIZE} bytes. After ${REFUSAL_LIMIT.count} refusals in ${REFUSAL_LIMIT.windowMinutes} minutes an address is refused at once until that time is over. Every refusal counts but 5xx.`,
      'There are no CORS headers: pages of other sites are refused.',
    ].join('\n\n'),
    parameters: refs('parameters', 'IdempotencyKey', 'AcceptLanguage', 'LanguageCookie'),
    requestBody: {
      required: true,
      content: json(
        { $ref: '#/components/schemas/ContactRequest' },
        {
          firstName: 'Zoé',
          lastName: 'L’Écuyer',
          email: 'zoe@example.ca',
          service: SERVICE_IDS[1],
          message: 'Hello,\nwe are looking for a training session.',
          formStartTime: '1777896000000',
          website: '',
          url: '',
          phone_hidden: '',
        },
      ),
    },
    responses: {
      200: {
        description: 'The message is kept, or was kept before.',
        headers: headersOf('RateLimit', 'RateLimit-Policy'),
        content: json(
          { $ref: '#/components/schemas/Receipt' },
          { reference: 'RG-7K3M9-QXT4P', receivedAt: '2026-05-04T12:00:00.000Z' },
        ),
      },
      ...createRefusals(codes, limit),
    },
  }
}

export function createErrorReportCall(limit: ContactLimit) {
  return {
    operationId: 'reportClientError',
    summary: 'Reports what went wrong in a browser',
    description:
      'For the pages of the site itself. It stands in the log by the words that browsers use, and its place in our files.',
    requestBody: {
      required: true,
      content: json(
        {
          type: 'object',
          properties: {
            message: { type: 'string' },
            stack: { type: 'string' },
            path: { type: 'string', description: 'The path of the page.' },
          },
        },
        { message: 'x is not a function', stack: 'TypeError: x is not a function', path: '/' },
      ),
    },
    responses: {
      204: { description: 'It stands in the log.', headers: headersOf() },
      ...createRefusals(GUARDS, limit),
    },
  }
}

/** A call that is always refused for the same reason. */
export function createRefusedCall(
  operationId: string,
  summary: string,
  code: Code,
  limit: ContactLimit,
) {
  return { operationId, summary, responses: createRefusals([code], limit) }
}

export function createHealthCall(operationId: string, summary: string, mayStop: boolean) {
  const answer = (description: string, example: string) => ({
    description,
    headers: headersOf(),
    content: { 'text/plain': { schema: { type: 'string' }, example } },
  })
  return {
    operationId,
    summary,
    responses: {
      200: answer('Yes.', 'ok\n'),
      ...(mayStop && { 503: answer('No: it is about to stop.', 'stopping\n') }),
    },
  }
}
