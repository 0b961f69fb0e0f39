import { MINIMUM_FILL_TIME, REPEAT_HOURS } from '../../../shared/constants.ts'

const header = (description: string, type: string, format?: string) => ({
  description,
  schema: { type, ...(format && { format }) },
})

/** The headers of answers. */
export const headers = {
  'X-Request-Id': header('Names the request in the log of the site.', 'string', 'uuid'),
  'Content-Language': header('The language of the sentences: fr or en.', 'string'),
  'Problem-Code': header('Why it is refused, for programs: the `code` of the problem.', 'string'),
  'Retry-After': header('After how many seconds it may be tried again.', 'integer'),
  'Form-Start-Time': header(
    `With \`too-fast\`: the value to send as formStartTime once ${MINIMUM_FILL_TIME} ms have passed, by the server’s clock.`,
    'string',
  ),
  Allow: header('The methods that the path has.', 'string'),
  Accept: header('The media type that is taken.', 'string'),
  RateLimit: header(
    'What is left of the limit: draft-ietf-httpapi-ratelimit-headers-08.',
    'string',
  ),
  'RateLimit-Policy': header('The limit that is counted, in the same draft.', 'string'),
}

/** What a request may say besides its body. */
export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: `Makes a request safe to repeat: known for ${REPEAT_HOURS} h.`,
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description: 'The language of the sentences; French unless English is asked for first.',
    schema: { type: 'string' },
    example: 'en',
  },
  LanguageCookie: {
    name: 'rg-language',
    in: 'cookie',
    description: 'The visitor’s choice of language, which goes before Accept-Language.',
    schema: { type: 'string', enum: ['fr', 'en'] },
  },
}
