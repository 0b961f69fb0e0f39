import { MIN_FILL_MS, REFUSAL_LIMIT } from '../../../shared/constants.ts'
import type { Faults } from '../../../shared/contact-fields.ts'
import type { ContactLimit } from '../../../shared/page-state.ts'
import type { ProblemCode } from '../../../shared/problems.ts'
import { Refusal } from '../../errors.ts'
import { STATUS_CODES } from '../../fast-path/node-http.ts'
import { createProblem, PROBLEM_TYPE } from '../../requests/problem.ts'

const REQUEST_ID = '0b5a3f2e-6a0c-4c0e-9a53-0f5f0c1f2d3e'

/** The faults in the example of an answer to an invalid form. */
const FAULTS: Faults = [
  { field: 'firstName', code: 'required' },
  { field: 'email', code: 'email-invalid' },
]

const header = (description: string, type = 'string') => ({ description, schema: { type } })

const HEADERS = {
  'X-Request-Id': header('Identifies the request in the log of the site.'),
  'Content-Language': header('The language of every `detail`: fr or en.'),
  'Problem-Code': header('The `code` of the problem.'),
  'Retry-After': header('Number of seconds to wait before the next try.', 'integer'),
  'Form-Start-Time': header(
    `With \`too-fast\`: the value to send as formStartTime after ${MIN_FILL_MS} ms, by the server’s clock.`,
  ),
  Accept: header('The media type that the path accepts.'),
  RateLimit: header('What is left of the limit, by draft-ietf-httpapi-ratelimit-headers-08.'),
  'RateLimit-Policy': header('The limit itself, by draft-ietf-httpapi-ratelimit-headers-08.'),
}
type HeaderName = keyof typeof HEADERS

/** Headers of refusals with this status, in addition to the headers of every refusal. */
const EXTRA_HEADERS: Record<number, HeaderName[]> = {
  400: ['Retry-After', 'Form-Start-Time'],
  415: ['Accept'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
}

export const describeHeaders = (...names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, HEADERS[name]]))

/** In an example, the time to wait is the whole window of the limit. */
function createSample(why: ProblemCode | Faults, limit: ContactLimit) {
  const { windowMinutes } = why === 'limit-reached' ? limit : REFUSAL_LIMIT
  const refusal = new Refusal(why, { retryAfterSeconds: windowMinutes * 60 })
  return createProblem(refusal, { limit, language: 'en', requestId: REQUEST_ID })
}

/** One response for each status, with an example for each code and one for the faults of the form. */
export function createRefusals(codes: ProblemCode[], limit: ContactLimit) {
  const samples = [FAULTS, ...codes].map((why) => createSample(why, limit))
  const responses = [...Map.groupBy(samples, ({ status }) => status)].map(([status, group]) => {
    const extra = EXTRA_HEADERS[status] ?? []
    const response = {
      description: STATUS_CODES[status],
      headers: describeHeaders('X-Request-Id', 'Content-Language', 'Problem-Code', ...extra),
      content: {
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
      },
    }
    return [status, response]
  })
  return Object.fromEntries(responses)
}
