import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import request, { type Response } from 'supertest'
import { createOpenApi } from '../../../server/api/openapi.ts'
import { CONTACT_FIELDS } from '../../../shared/contact-fields.ts'
import { checkContact } from '../../../shared/contact-schema.ts'
import { PROBLEMS } from '../../../shared/problems.ts'
import { SERVICE_IDS } from '../../../shared/sectors.ts'
import { createVisitor, get, NOON, send, setUpSite, site, VALID } from '../setup.ts'

const document = createOpenApi('https://www.example.ca', { count: 2, windowMinutes: 60 })
const { responses } = document.paths['/api/contact'].post

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const formats = { uuid: UUID, 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) }
const ajv = new Ajv2020({ strict: false, allErrors: true, formats }).addSchema(document, 'api')
const findFaults = (schema: keyof typeof document.components.schemas, value: unknown) => {
  const validate = ajv.compile({ $ref: `api#/components/schemas/${schema}` })
  return validate(value) ? [] : validate.errors
}

test('the document is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
})

test('the document needs no key, and a typed client may leave optional fields out', () => {
  expect(document.security).toEqual([])
  const { ContactRequest } = document.components.schemas
  // Client generators would treat a field with a default value as required.
  expect(JSON.stringify(ContactRequest)).not.toContain('"default"')
  const required = ['firstName', 'lastName', 'email', 'message', 'formStartTime']
  expect(ContactRequest.required).toEqual(required)
})

test('the document leaves out only the problems that the call never causes', () => {
  const described = JSON.stringify(responses)
  const absent = Object.keys(PROBLEMS).filter((code) => !described.includes(`\`${code}\``))
  expect(absent).toEqual(['bad-path', 'not-found', 'method-not-allowed'])
})

test('the document has the limit in force', () => {
  const { paths } = createOpenApi('https://www.example.ca', { count: 7, windowMinutes: 90 })
  expect(paths['/api/contact'].post.description).toContain('7 messages in 90 minutes')
})

const { firstName, email, message } = CONTACT_FIELDS
const LENGTHS = [firstName.maxLength, email.maxLength, message.minLength, message.maxLength]
/** Values on both sides of each rule. */
const VALUES = [
  ...[undefined, null, 1, [], '', '   ', 'noon', '0', 'plumbing', ...SERVICE_IDS],
  ...['Zoé\nL.', 'Zoé\u2028L.', 'zoe@exemple', 'zoe@', 'zoe@exemple.québec', 'user%x+tag@y.ca'],
  ...['zo e@exemple.ca', `a@${`${'b'.repeat(60)}.`.repeat(4)}ca`, `a@${'b.'.repeat(126)}ca`],
  ...[`a@${'b'.repeat(64)}.ca`, 'a@b_c.ca', 'a@-b.ca', 'a@b-.ca', 'a@b..ca', 'a@b.ca.', '\x01\x02'],
  ...[' zoe@exemple.ca ', `  ${'é'.repeat(9)}  `, `  ${'é'.repeat(message.maxLength)}\n`],
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
  for (const value of VALUES) {
    const body = JSON.parse(JSON.stringify({ ...VALID, [field]: value }))
    const isValid = findFaults('ContactRequest', body)?.length === 0
    expect([value, isValid]).toEqual([value, checkContact(body, NOON).ok])
  }
})

describe('of a site', () => {
  setUpSite({ parts: { isStopping: () => true } })

  test('/api/openapi.json is the document with the origin of the site', async () => {
    const { headers, body } = await get('/api/openapi.json').expect(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(headers['cache-control']).toBe('no-cache')
    const servers = [{ url: `http://localhost:${new URL(site.url).port}` }]
    expect(body).toEqual(JSON.parse(JSON.stringify({ ...document, servers })))
  })

  async function sendThree(): Promise<Response> {
    const visitor = createVisitor()
    for (const _ of ['first', 'second']) await send({}, visitor)
    return send({}, visitor)
  }

  const PROBLEM = 'application/problem+json'
  const LIMIT_HEADERS = ['Retry-After', 'RateLimit', 'RateLimit-Policy']

  test.each<[code: string, ask: () => PromiseLike<Response>, headers?: string[]]>([
    ['required', () => send({ firstName: ' ', email: 'zoe@exemple' })],
    ['too-fast', () => send({ formStartTime: `${NOON}` }), ['Retry-After', 'Form-Start-Time']],
    ['unsupported-media-type', () => send({}, { 'Content-Type': 'text/plain' }), ['Accept']],
    ['limit-reached', sendThree, LIMIT_HEADERS],
  ])('%s is answered as described', async (code, ask, more = []) => {
    const { status, headers, body, type } = await ask()
    expect([body.code, type, findFaults('Problem', body)]).toEqual([code, PROBLEM, []])
    const described = new Map(Object.entries(responses)).get(String(status))
    expect(described?.description).toContain(`\`${code}\``)
    for (const name of ['X-Request-Id', 'Content-Language', 'Problem-Code', ...more]) {
      expect(headers).toHaveProperty([name.toLowerCase()])
      expect(described?.headers).toHaveProperty([name])
    }
  })

  test.each([
    ['/livez', 200],
    ['/readyz', 503],
    ['/', 200],
  ])('while the process stops, %s is %d, also to HEAD', async (path, expected) => {
    // A probe has no version that a client could know.
    const headers = path === '/' ? {} : { 'If-None-Match': '*' }
    const answer = await get(path).set(headers).expect(expected)
    if (path !== '/') expect(answer.headers['cache-control']).toBe('no-store')
    if (path !== '/') expect(answer.text).toBe(expected === 200 ? 'ok\n' : 'stopping\n')
    expect((await request(site.url).head(path)).status).toBe(expected)
  })
})
