import { MIN_FILL_MS, REFUSAL_LIMIT } from '../../../shared/constants.ts'
import type { Fault, FaultCode } from '../../../shared/contact-faults.ts'
import type { ContactLimit } from '../../../shared/page-state.ts'
import { isListed, PROBLEMS, type ProblemCode } from '../../../shared/problems.ts'
import { createProblem, PROBLEM_TYPE, Refusal } from '../../errors.ts'
import { STATUS_CODES } from '../../fast-path/node-http.ts'

type Code = ProblemCode | FaultCode

const REQUEST_ID = '0b5a3f2e-6a0c-4c0e-9a53-0f5f0c1f2d3e'

/** A field for each fault code, for the examples. */
const FAULTY_FIELD: Record<FaultCode, Fault['field']> = {
  'too-fast': 'formStartTime',
  required: 'firstName',
  'email-invalid': 'email',
  'message-too-short': 'message',
  'message-too-long': 'message',
  'wrong-type': 'service',
  'unknown-service': 'service',
  'start-time-invalid': 'formStartTime',
  'line-break': 'lastName',
  'too-long': 'firstName',
  'broken-text': 'message',
}

const header = (description: string, type = 'string', format?: string) => ({
  description,
  schema: { type, ...(format && { format }) },
})

export const headers = {
  'X-Request-Id': header('Identifies the request in the log of the site.', 'string', 'uuid'),
  'Content-Language': header('The language of the sentences: fr or en.'),
  'Problem-Code': header('The `code` of the problem.'),
  'Retry-After': header('Number of seconds to wait before the next try.', 'integer'),
  'Form-Start-Time': header(
    `With \`too-fast\`: the value to send as formStartTime after ${MIN_FILL_MS} ms, by the server’s clock.`,
  ),
  Allow: header('The methods that the path supports.'),
  Accept: header('The media type that the path accepts.'),
  RateLimit: header('The rest of the limit: draft-ietf-httpapi-ratelimit-headers-08.'),
  'RateLimit-Policy': header('The limit that is counted, in the same draft.'),
}
type HeaderName = keyof typeof headers

/** Headers of the responses with a code, besides the headers of every refusal. */
const EXTRA_HEADERS: Partial<Record<Code, HeaderName[]>> = {
  'too-fast': ['Retry-After', 'Form-Start-Time'],
  'method-not-allowed': ['Allow'],
  'unsupported-media-type': ['Accept'],
  'limit-reached': ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  'too-many-refusals': ['Retry-After'],
  unavailable: ['Retry-After'],
}

type Content = Record<string, { schema: object; example?: unknown }>

export const createJson = (schema: object, example?: unknown): Content => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})

export const createResponse = (
  description: string,
  content?: Content,
  ...headerNames: HeaderName[]
) => ({
  description,
  headers: Object.fromEntries(
    ['X-Request-Id', ...headerNames].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  ),
  ...(content && { content }),
})

export const createText = (description: string, example: string) =>
  createResponse(description, { 'text/plain': { schema: { type: 'string' }, example } })

/** An example response for a code, with the Retry-After of an address that has just reached its limit. */
function createSample(code: Code, limit: ContactLimit) {
  const { windowMinutes } = code === 'limit-reached' ? limit : REFUSAL_LIMIT
  const reason = isListed(code, PROBLEMS)
    ? code
    : ([{ field: FAULTY_FIELD[code], code }] satisfies [Fault])
  const refusal = new Refusal(reason, { headers: { 'Retry-After': String(windowMinutes * 60) } })
  return createProblem(refusal, { limit, language: 'en', requestId: REQUEST_ID })
}

/** Groups codes by status: one response for each status, with an example for each code. */
export function createRefusals(codes: readonly Code[], limit: ContactLimit) {
  const samples = codes.map((code) => createSample(code, limit))
  const responses = [...Map.groupBy(samples, ({ status }) => status)].map(([status, group]) => {
    const names = new Set(group.flatMap(({ code }) => EXTRA_HEADERS[code] ?? []))
    const content = {
      [PROBLEM_TYPE]: {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(group.map((value) => [value.code, { value }])),
      },
      'text/plain': {
        schema: {
          type: 'string',
          description: '`detail` alone, for a client that prefers text.',
        },
      },
    }
    const codesInStatus = group.map(({ code }) => `\`${code}\``).join(', ')
    const description = `${STATUS_CODES[status]}: ${codesInStatus}`
    return [
      String(status),
      createResponse(description, content, 'Content-Language', 'Problem-Code', ...names),
    ]
  })
  return Object.fromEntries(responses)
}
