import { Validator } from '@seriousme/openapi-schema-validator'
import { createDocument } from '../../../../server/api/openapi/document.ts'
import {
  EMAIL_MAX_LENGTH,
  MESSAGE_MAX_LENGTH,
  MESSAGE_MIN_LENGTH,
  NAME_MAX_LENGTH,
} from '../../../../shared/constants.ts'
import { checkContact } from '../../../../shared/contact.ts'
import { FAULT_CODES } from '../../../../shared/contact-faults.ts'
import { PROBLEMS } from '../../../../shared/problems.ts'
import { readDescription } from '../../../support/openapi.ts'
import { get, NOON, setUpSite, VALID } from '../../setup.ts'

const document = createDocument('https://www.example.ca', { count: 2, windowMinutes: 60 })
const description = readDescription(document)

test('the document is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
})

test('the document needs no key, and a typed client may leave optional fields out', () => {
  expect(document.security).toEqual([])
  const { ContactRequest } = document.components.schemas
  // Client generators would treat a field with a default value as required.
  expect(JSON.stringify(ContactRequest)).not.toContain('"default"')
  expect(ContactRequest.required).toEqual([
    'firstName',
    'lastName',
    'email',
    'message',
    'formStartTime',
  ])
})

interface Media {
  schema?: object
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

/** The media types of the document, each with the JSON pointer to its schema. */
function findMedia(value: unknown, pointer = ''): [pointer: string, media: Media][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => {
    const here = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (name !== 'content') return findMedia(child, here)
    return Object.entries(child as Record<string, Media>).map(([type, media]): [string, Media] => [
      `${here}/${type.replaceAll('/', '~1')}/schema`,
      media,
    ])
  })
}

test('every example meets its schema', () => {
  const faults: string[] = []
  let count = 0
  for (const [pointer, { example, examples = {} }] of findMedia(document)) {
    const values = Object.values(examples).map(({ value }) => value)
    for (const value of [...values, ...(example === undefined ? [] : [example])]) {
      count += 1
      const validate = description.compile(pointer)
      if (!validate(value)) faults.push(`${pointer}: ${JSON.stringify(validate.errors)}`)
    }
  }
  expect(faults).toEqual([])
  expect(count).toBeGreaterThan(50)
})

test('every reason for a refusal has an example', () => {
  const shown = new Set(
    findMedia(document).flatMap(([, media]) => Object.keys(media.examples ?? {})),
  )
  // 'bad-path' is possible on every path.
  const codes = [...FAULT_CODES, ...Object.keys(PROBLEMS)].filter((code) => code !== 'bad-path')
  expect(codes.filter((code) => !shown.has(code))).toEqual([])
})

test('the document has the limit in force', () => {
  const limit = { count: 7, windowMinutes: 90 }
  const { paths } = createDocument('https://www.example.ca', limit)
  expect(paths['/api/contact'].post.description).toContain('7 messages in 90 minutes')
  expect(JSON.stringify(paths['/api/contact'].post.responses)).toContain('7 messages')
})

const letters = (length: number) => 'é'.repeat(length)
const emoji = (length: number) => '🦺'.repeat(length)

/** Schema and check must agree on these bodies; none has spaces at the ends of its values. */
const BODIES: [name: string, change: Record<string, unknown>][] = [
  ['as it is', {}],
  ['no service', { service: undefined }],
  ['an empty service', { service: '' }],
  ['an unknown service', { service: 'plumbing' }],
  ['no traps', { website: undefined, url: undefined, phone_hidden: undefined }],
  ['an unknown key', { more: 1 }],
  ...(['firstName', 'lastName', 'email', 'message', 'formStartTime'] as const).flatMap(
    (field): [string, Record<string, unknown>][] => [
      [`no ${field}`, { [field]: undefined }],
      [`an empty ${field}`, { [field]: '' }],
      [`${field} null`, { [field]: null }],
      [`${field} a number`, { [field]: 1 }],
      [`${field} a list`, { [field]: [] }],
    ],
  ),
  ['spaces for a name', { lastName: '   ' }],
  ['a line break in a name', { firstName: 'Zoé\nL.' }],
  ['a line separator in a name', { firstName: 'Zoé\u2028L.' }],
  ['the longest name', { firstName: letters(NAME_MAX_LENGTH) }],
  ['a name too long', { firstName: letters(NAME_MAX_LENGTH + 1) }],
  ['the longest name beyond 16 bits', { lastName: emoji(NAME_MAX_LENGTH) }],
  ['one longer', { lastName: emoji(NAME_MAX_LENGTH + 1) }],
  [
    'an e-mail too long',
    {
      email: `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(EMAIL_MAX_LENGTH - 185)}x.ca`,
    },
  ],
  ['an e-mail without a dot', { email: 'zoe@exemple' }],
  ['an e-mail without a domain', { email: 'zoe@' }],
  ['an international domain', { email: 'zoe@exemple.québec' }],
  ['signs in the local part', { email: 'user%x+tag@y.ca' }],
  ['a space in an e-mail', { email: 'zo e@exemple.ca' }],
  ['the shortest message', { message: emoji(MESSAGE_MIN_LENGTH) }],
  ['a message too short', { message: emoji(MESSAGE_MIN_LENGTH - 1) }],
  ['the longest message', { message: emoji(MESSAGE_MAX_LENGTH) }],
  ['a message too long', { message: emoji(MESSAGE_MAX_LENGTH + 1) }],
  ['a time that is no number', { formStartTime: 'noon' }],
]

test.each(BODIES)('schema and check agree on a body: %s', (_name, change) => {
  const body = JSON.parse(JSON.stringify({ ...VALID, ...change }))
  const validate = description.compile('/components/schemas/ContactRequest')
  expect(validate(body)).toBe(checkContact(body, NOON).ok)
})

describe('GET /api/openapi.json', () => {
  setUpSite({ environment: { PUBLIC_URL: 'https://www.example.ca' } })

  test('answers JSON, and 304 to its ETag', async () => {
    const ask = (headers: object = {}) =>
      get('/api/openapi.json', { Host: 'localhost', ...headers })
    const { status, headers, body } = await ask()
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(headers['cache-control']).toBe('no-cache')
    expect(body).toEqual(JSON.parse(JSON.stringify(document)))
    expect((await ask({ 'If-None-Match': headers.etag })).status).toBe(304)
  })
})
