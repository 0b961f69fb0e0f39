import { Validator } from '@seriousme/openapi-schema-validator'
import { createDocument } from '../../../../server/api/openapi/document.ts'
import {
  EMAIL_MAX_LENGTH,
  MESSAGE_MAX_LENGTH,
  MESSAGE_MIN_LENGTH,
  NAME_MAX_LENGTH,
} from '../../../../shared/constants.ts'
import { checkContact } from '../../../../shared/contact.ts'
import { readDescription } from '../../../support/openapi.ts'
import { get, NOON, setUpSite, site, VALID } from '../../setup.ts'

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

test('the examples of a request and of its receipt meet their schemas', () => {
  const { requestBody, responses } = document.paths['/api/contact'].post
  for (const [name, content] of [
    ['ContactRequest', requestBody.content],
    ['Receipt', responses[200].content],
  ] as const) {
    const validate = description.compile(`/components/schemas/${name}`)
    validate(content?.['application/json']?.example)
    expect([name, validate.errors]).toEqual([name, null])
  }
})

test('the document has the limit in force', () => {
  const limit = { count: 7, windowMinutes: 90 }
  const { paths } = createDocument('https://www.example.ca', limit)
  expect(paths['/api/contact'].post.description).toContain('7 messages in 90 minutes')
  expect(JSON.stringify(paths['/api/contact'].post.responses)).toContain('7 messages')
})

const letters = (length: number) => 'é'.repeat(length)
const emoji = (length: number) => '🦺'.repeat(length)

/** The OpenAPI schema and checkContact must agree whether each of these bodies is valid. */
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
  setUpSite()

  test('answers JSON with the origin of the site', async () => {
    const { status, headers, body } = await get('/api/openapi.json')
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(headers['cache-control']).toBe('no-cache')
    const servers = [{ url: `http://localhost:${new URL(site.url).port}` }]
    expect(body).toEqual(JSON.parse(JSON.stringify({ ...document, servers })))
  })
})
