import { Validator } from '@seriousme/openapi-schema-validator'
import { createDocument } from '../../../../server/api/openapi/document.ts'
import {
  EMAIL_MAX_LENGTH,
  MESSAGE_MAX_LENGTH,
  MESSAGE_MIN_LENGTH,
  NAME_MAX_LENGTH,
  SERVICE_IDS,
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

const LENGTHS = [NAME_MAX_LENGTH, EMAIL_MAX_LENGTH, MESSAGE_MIN_LENGTH, MESSAGE_MAX_LENGTH]
/** Values on both sides of each rule. */
const VALUES = [
  ...[undefined, null, 1, [], '', '   ', 'noon', '0', 'plumbing', ...SERVICE_IDS],
  ...['Zoé\nL.', 'Zoé\u2028L.', 'zoe@exemple', 'zoe@', 'zoe@exemple.québec', 'user%x+tag@y.ca'],
  ...['zo e@exemple.ca', `a@${`${'b'.repeat(60)}.`.repeat(4)}ca`, `a@${'b.'.repeat(126)}ca`],
  ...LENGTHS.flatMap((length) => [length - 1, length, length + 1]).flatMap((length) => [
    'é'.repeat(length),
    '🦺'.repeat(length),
  ]),
]

// Without the traps: the document hides from bots that a filled one is accepted.
const FIELDS = Object.keys(VALID).filter(
  (field) => !['website', 'url', 'phone_hidden'].includes(field),
)

test.each([...FIELDS, 'more'])('schema and check agree on every %s', (field) => {
  const validate = description.compile('/components/schemas/ContactRequest')
  for (const value of VALUES) {
    const body = JSON.parse(JSON.stringify({ ...VALID, [field]: value }))
    expect([value, validate(body)]).toEqual([value, checkContact(body, NOON).ok])
  }
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
