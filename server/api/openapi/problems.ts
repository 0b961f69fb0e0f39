import { REFUSAL_LIMIT } from '../../../shared/constants.ts'
import { FAULT_CODES, type FaultCode } from '../../../shared/contact.ts'
import type { ContactLimit } from '../../../shared/page-state.ts'
import { PROBLEMS, type ProblemCode } from '../../../shared/problems.ts'
import { createProblem, describeRefusal, Refusal } from '../../errors.ts'
import { STATUS_CODES } from '../../fast-path/node-http.ts'

export type Code = ProblemCode | FaultCode

const LANGUAGE = 'en'
const REQUEST_ID = '0b5a3f2e-6a0c-4c0e-9a53-0f5f0c1f2d3e'

/** A field that each fault can be found in. */
const FAULTY_FIELD: Record<FaultCode, string> = {
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

/** The headers that an answer has besides those of every answer. */
const HEADERS: Partial<Record<Code, string[]>> = {
  'too-fast': ['Retry-After', 'Form-Start-Time'],
  'method-not-allowed': ['Allow'],
  'unsupported-media-type': ['Accept'],
  'limit-reached': ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  'too-many-refusals': ['Retry-After'],
  unavailable: ['Retry-After'],
}

const string = (description: string, more: object = {}) => ({
  type: 'string',
  description,
  ...more,
})

const code = string('Why, for programs.', {
  enum: [...FAULT_CODES, ...Object.keys(PROBLEMS)],
})

export const problemSchema = {
  type: 'object',
  description: 'Why a request is refused (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { const: 'about:blank' },
    title: string('The name of the status.'),
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: string('Why, for people; in the language of Content-Language.'),
    code,
    errors: {
      type: 'array',
      description: 'The first fault of each field, the one that `detail` speaks of first.',
      minItems: 1,
      items: {
        type: 'object',
        required: ['field', 'code', 'detail'],
        properties: {
          field: string('The name of the field.'),
          code: { enum: [...FAULT_CODES] },
          detail: string('What is wrong with it, for people.'),
        },
      },
    },
    requestId: string('Names this request in the log of the site.', { format: 'uuid' }),
  },
}

/** Example for an address that has just reached its limit. */
function createSample(code: Code, limit: ContactLimit): Refusal {
  const fault = FAULT_CODES.find((each) => each === code)
  const { windowMinutes } = code === 'limit-reached' ? limit : REFUSAL_LIMIT
  return new Refusal(code, {
    faults: fault && [{ field: FAULTY_FIELD[fault], code: fault }],
    headers: { 'Retry-After': String(windowMinutes * 60) },
  })
}

export const headersOf = (...names: string[]) =>
  Object.fromEntries(
    ['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )

/** The answers to what is refused for these reasons: one for each status, with an example for each reason. */
export function createRefusals(codes: readonly Code[], limit: ContactLimit) {
  const samples = codes.map((code) => {
    const sample = createSample(code, limit)
    const detail = describeRefusal(sample, limit, LANGUAGE)
    const problem = { ...createProblem(sample, detail, LANGUAGE), requestId: REQUEST_ID }
    return { code, status: sample.status, detail, problem }
  })
  const byStatus = Map.groupBy(samples, ({ status }) => status)
  const answers = [...byStatus].map(([status, group]) => {
    const names = new Set(group.flatMap(({ code }) => HEADERS[code] ?? []))
    const answer = {
      description: `${STATUS_CODES[status]}: ${group.map(({ code }) => `\`${code}\``).join(', ')}`,
      headers: headersOf('Content-Language', 'Problem-Code', ...names),
      content: {
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          examples: Object.fromEntries(group.map(({ code, problem: value }) => [code, { value }])),
        },
        'text/plain': {
          schema: string('`detail` alone, for a client that prefers it.'),
          examples: Object.fromEntries(group.map(({ code, detail: value }) => [code, { value }])),
        },
      },
    }
    return [String(status), answer]
  })
  return Object.fromEntries(answers)
}
