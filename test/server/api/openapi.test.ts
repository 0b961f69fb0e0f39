import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import request, { type Response } from 'supertest'
import { createOpenApi } from '../../../server/api/openapi/document.ts'
import { createInbox } from '../../../server/inbox/create-inbox.ts'
import { type Inbox, InboxUnavailable } from '../../../server/inbox/inbox.ts'
import {
  EMAIL_MAX_LENGTH,
  MESSAGE_MAX_LENGTH,
  MESSAGE_MIN_LENGTH,
  NAME_MAX_LENGTH,
  SERVICE_IDS,
} from '../../../shared/constants.ts'
import { checkContact } from '../../../shared/contact.ts'
import { PROBLEMS } from '../../../shared/problems.ts'
import { createFolder } from '../../support/folders.ts'
import { createVisitor, get, NOON, sendBody, setUpSite, site, VALID } from '../setup.ts'

const document = createOpenApi('https://www.example.ca', { count: 2, windowMinutes: 60 })
const { responses, requestBody } = document.paths['/api/contact'].post

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

test('the examples of a request and of its receipt meet their schemas', () => {
  const { example } = requestBody.content['application/json']
  expect(findFaults('ContactRequest', example)).toEqual([])
  expect(findFaults('Receipt', responses[200].content['application/json']?.example)).toEqual([])
})

test('the document has the limit in force', () => {
  const { paths } = createOpenApi('https://www.example.ca', { count: 7, windowMinutes: 90 })
  expect(paths['/api/contact'].post.description).toContain('7 messages in 90 minutes')
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
  for (const value of VALUES) {
    const body = JSON.parse(JSON.stringify({ ...VALID, [field]: value }))
    const isValid = findFaults('ContactRequest', body)?.length === 0
    expect([value, isValid]).toEqual([value, checkContact(body, NOON).ok])
  }
})

describe('of a site', () => {
  /** If set, the store throws this error instead of storing a message. */
  let fault: Error | undefined
  let isStopping = false
  afterEach(() => {
    fault = undefined
    isStopping = false
  })
  const path = join(createFolder(), 'inbox.sqlite')
  const inbox = createInbox({ kind: 'sqlite', path }, { now: () => NOON })
  afterAll(() => inbox.close())
  const failing: Inbox = {
    ...inbox,
    async submit(...args) {
      if (fault) throw fault
      return inbox.submit(...args)
    },
  }
  setUpSite({ parts: { inbox: failing, isStopping: () => isStopping } })

  test('/api/openapi.json is the document with the origin of the site', async () => {
    const { headers, body } = await get('/api/openapi.json').expect(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(headers['cache-control']).toBe('no-cache')
    const servers = [{ url: `http://localhost:${new URL(site.url).port}` }]
    expect(body).toEqual(JSON.parse(JSON.stringify({ ...document, servers })))
  })

  const send = (change: object = {}, headers: object = {}) =>
    sendBody({ ...VALID, ...change }, headers)

  async function sendTimes(count: number, change: object = {}): Promise<Response> {
    const visitor = createVisitor()
    for (let sent = 1; sent < count; sent += 1) await send(change, visitor)
    return send(change, visitor)
  }

  async function sendWith(error: Error): Promise<Response> {
    fault = error
    return send({ message: 'A message that is not kept.' })
  }

  const sendBytes = (bytes: Buffer) =>
    request(site.url)
      .post('/api/contact')
      .set({ ...createVisitor(), 'Content-Type': 'application/json' })
      .serialize((body) => body as unknown as string)
      .send(bytes)

  const LIMIT_HEADERS = ['Retry-After', 'RateLimit', 'RateLimit-Policy']

  /** A request for each documented problem of POST /api/contact, and two faults of the form. */
  const REFUSALS: [code: string, ask: () => PromiseLike<Response>, headers?: string[]][] = [
    ['required', () => send({ firstName: ' ', email: 'zoe@exemple' })],
    ['too-fast', () => send({ formStartTime: `${NOON}` }), ['Retry-After', 'Form-Start-Time']],
    ['malformed-json', () => sendBody('{')],
    ['not-utf8', () => sendBytes(Buffer.from([0x22, 0xff, 0x22]))],
    ['not-an-object', () => sendBody('[]')],
    ['bad-idempotency-key', () => send({}, { 'Idempotency-Key': 'a b' })],
    ['cross-site', () => send({}, { 'Sec-Fetch-Site': 'cross-site' })],
    ['too-large', () => sendBody('x'.repeat(33_000))],
    ['unsupported-media-type', () => send({}, { 'Content-Type': 'text/plain' }), ['Accept']],
    ['limit-reached', () => sendTimes(3), LIMIT_HEADERS],
    ['too-many-refusals', () => sendTimes(31, { email: '' }), ['Retry-After']],
    ['server-error', () => sendWith(new Error('Something else'))],
    ['unavailable', () => sendWith(new InboxUnavailable('full')), ['Retry-After']],
  ]

  test.each(REFUSALS)('%s is answered as described', async (code, ask, more = []) => {
    const { status, headers, body, type } = await ask()
    expect([body.code, type, findFaults('Problem', body)]).toEqual([code, PROBLEM, []])
    const described = new Map(Object.entries(responses)).get(String(status))
    expect(described?.description).toContain(`\`${code}\``)
    for (const name of ['X-Request-Id', 'Content-Language', 'Problem-Code', ...more]) {
      expect(headers).toHaveProperty([name.toLowerCase()])
      expect(described?.headers).toHaveProperty([name])
    }
  })

  const PROBLEM = 'application/problem+json'
  /** The site refuses these requests before routing; serve.test.ts and host-check.test.ts test the answers. */
  const BEFORE_ROUTING =
    'malformed-request request-timeout expectation-failed misdirected headers-too-large'.split(' ')

  test('these are all problems of the contact call', () => {
    const codes = [...REFUSALS.map(([code]) => code), ...BEFORE_ROUTING]
    const described = JSON.stringify(responses)
    const shown = Object.keys(PROBLEMS).filter((code) => described.includes(`\`${code}\``))
    expect(codes.filter((code) => code in PROBLEMS).toSorted()).toEqual(shown.toSorted())
  })

  test('a stored message is answered as described', async () => {
    const { body } = await send().expect(200)
    expect(findFaults('Receipt', body)).toEqual([])
  })

  test.each([
    ['/livez', 200],
    ['/readyz', 503],
    ['/', 200],
  ])('while the process stops, %s is %d, also to HEAD', async (path, expected) => {
    isStopping = true
    const answer = await get(path).expect(expected)
    if (path !== '/') expect(answer.text).toBe(expected === 200 ? 'ok\n' : 'stopping\n')
    expect((await request(site.url).head(path)).status).toBe(expected)
  })
})
