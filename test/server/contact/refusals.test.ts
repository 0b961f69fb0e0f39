import request from 'supertest'
import { en, fr } from '../../../shared/content/index.ts'
import { writeRequest } from '../../../tools/harness/raw-client.ts'
import {
  askRaw,
  createVisitor,
  get,
  getStatuses,
  send,
  sendBody,
  sendForm,
  sendFormBody,
  setUpSite,
  site,
  tally,
  VALID,
} from '../setup.ts'

const MAX_BYTES = 32 * 1024
const FORM = 'application/x-www-form-urlencoded'
const TYPE = 'unsupported-media-type'

setUpSite()

function padded(size: number): string {
  const json = JSON.stringify({ ...VALID, padding: '' })
  return json.replace('"padding":""', `"padding":"${'x'.repeat(size - Buffer.byteLength(json))}"`)
}

const REFUSED: [
  status: number,
  code: string,
  title: string,
  body: object | string,
  headers?: object,
][] = [
  [
    403,
    'cross-site',
    'before the media type',
    '{',
    { Origin: 'null', 'Content-Type': 'text/plain' },
  ],
  [415, TYPE, 'another type', VALID, { 'Content-Type': 'application/jsonx' }],
  [415, TYPE, 'no type', VALID, { 'Content-Type': '' }],
  [415, TYPE, 'Latin-1', VALID, { 'Content-Type': 'application/json; charset=iso-8859-1' }],
  [415, TYPE, 'compressed', VALID, { 'Content-Encoding': 'gzip' }],
  [413, 'too-large', 'a byte too many', padded(MAX_BYTES + 1)],
  [400, 'malformed-json', 'half an object', '{"firstName":'],
  [400, 'malformed-json', 'null', 'null'],
  [400, 'not-an-object', 'a list', '[]'],
  [400, 'required', 'an empty object', '{}'],
]

test.each(REFUSED)('%d %s: %s', async (status, code, _title, sent, headers = {}) => {
  const answer = await sendBody(sent, headers)
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

test('exactly 32 KiB, a byte order mark, and another spelling of the type are accepted', async () => {
  await sendBody(padded(MAX_BYTES)).expect(200)
  await sendBody(`\ufeff${JSON.stringify(VALID)}`).expect(200)
  await send({}, { 'Content-Type': 'APPLICATION/JSON ; charset="UTF-8"' }).expect(200)
})

test.each([
  ['/api/contact', 'application/json'],
  ['/contact', FORM],
])('%s refuses a large body at once, by its Content-Length', async (path, type) => {
  const headers = { 'Content-Type': type, 'Content-Length': MAX_BYTES + 1, ...createVisitor() }
  expect((await askRaw(writeRequest('POST', path, headers))).status).toBe(413)
})

test('a large body without a length is refused too', async () => {
  const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
  const body = `ffff\r\n${'x'.repeat(0xffff)}\r\n0\r\n\r\n`
  const sent = writeRequest('POST', '/api/contact', { ...headers, ...createVisitor() }, body)
  expect((await askRaw(sent)).status).toBe(413)
})

const BROKEN: [name: string, bytes: number[]][] = [
  ['a stray byte', [0xff]],
  ['Latin-1', [0xe9]],
  ['an encoded surrogate', [0xed, 0xa0, 0x80]],
]

test.each(BROKEN)('bytes that are not UTF-8 are 400: %s', async (_name, bytes) => {
  for (const [path, type, start, end] of [
    ['/api/contact', 'application/json', '{"firstName":"', '"}'],
    ['/contact', FORM, 'firstName=', '&lastName=Roy'],
  ] as const) {
    const body = Buffer.concat([Buffer.from(start), Buffer.from(bytes), Buffer.from(end)])
    const headers = { 'Content-Type': type, ...createVisitor() }
    const answer = await fetch(site.url + path, { method: 'POST', headers, body })
    expect([path, answer.status]).toEqual([path, 400])
    expect(await answer.text()).toContain('"not-utf8"')
  }
})

test.each(['firstName=%ff', 'firstName=%zz'])(
  'a form with other percent-encoded bytes is 400: %s',
  async (fields) => {
    await sendFormBody(fields).expect(400)
  },
)

const refused = (headers: object = {}) => send({ email: 'no' }, headers)

test('a refusal is a problem document (RFC 9457)', async () => {
  const { status, headers, body } = await refused()
  expect(headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(headers['cache-control']).toBe('no-store')
  const detail = fr.contact.faults['email-invalid']
  expect(body).toEqual({
    type: 'about:blank',
    title: 'Bad Request',
    status,
    detail,
    code: 'email-invalid',
    errors: [{ field: 'email', code: 'email-invalid', detail }],
    requestId: headers['x-request-id'],
  })
})

test.each([
  ['*/*', 'application/problem+json'],
  ['application/json, text/plain;q=0.5', 'application/problem+json'],
  ['text/html', 'application/problem+json'],
  ['text/plain, */*;q=0.1', 'text/plain'],
])('to a client that accepts %j a refusal is %s', async (Accept, type) => {
  const { headers, text } = await refused({ Accept }).expect(400)
  expect(headers['content-type']?.split(';')[0]).toBe(type)
  if (type === 'text/plain') expect(text).toBe(fr.contact.faults['email-invalid'])
})

test.each([
  [{}, 'fr'],
  [{ 'Accept-Language': 'en-CA,fr-CA;q=0.8' }, 'en'],
  [{ 'Accept-Language': 'fr-CA,en;q=0.9' }, 'fr'],
  [{ 'Accept-Language': 'de' }, 'fr'],
  [{ Cookie: 'rg-language=fr', 'Accept-Language': 'en' }, 'fr'],
  [{ Cookie: 'rg-language=en', 'Accept-Language': 'fr' }, 'en'],
  [{ Cookie: 'rg-language=de', 'Accept-Language': 'en' }, 'en'],
])('with %j the sentence is in %s', async (headers: object, language) => {
  const { body, headers: answered } = await refused(headers)
  const { contact } = language === 'fr' ? fr : en
  expect(body.detail).toBe(contact.faults['email-invalid'])
  expect(answered['content-language']).toBe(language)
})

test.each([
  ['get', '/api/nonexistent-endpoint'],
  ['post', '/api/nonexistent-endpoint'],
  ['delete', '/api/contact/1'],
  ['get', '/api'],
] as const)('%s %s is a 404 problem', async (method, path) => {
  const { body } = await request(site.url)[method](path).expect(404)
  expect(body).toMatchObject({ code: 'not-found', detail: fr.errors.problems['not-found'] })
})

test('the test error is a 500 problem without a stack', async () => {
  const { text, body } = await get('/api/test-error').expect(500)
  expect(body).toMatchObject({ code: 'server-error' })
  expect(text).not.toMatch(/\bat |\.ts/)
})

describe('after 30 refusals in 15 minutes', () => {
  test('of every kind, whatever an address posts is 429, and others go on', async () => {
    const visitor = createVisitor()
    await getStatuses(2, (index) => send({ lastName: `${index}` }, visitor))
    const kinds = [
      () => sendBody('{', visitor),
      () => sendFormBody('', visitor),
      () => sendBody(padded(MAX_BYTES + 1), visitor),
      () => send({}, { ...visitor, 'Content-Type': 'text/plain' }),
      () => send({ message: 'Un tout autre message' }, visitor),
    ]
    const statuses = await getStatuses(30, (index) => kinds[index % 5]?.() ?? send())
    expect(tally(statuses)).toEqual({ 400: 12, 413: 6, 415: 6, 429: 6 })
    const { body, headers } = await send({}, visitor).expect(429)
    expect(body.code).toBe('too-many-refusals')
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(headers).not.toHaveProperty('ratelimit')
    // The form of this visitor comes back with what was typed.
    const { text } = await sendForm({ message: 'Court' }, visitor).expect(429)
    expect(text).toContain(`value="${VALID.email}"`)
    expect(text).toMatch(/<textarea[^>]*>Court<\/textarea>/)
    expect((await send()).status).toBe(200)
  })

  test('those of another origin, accepted and repeated messages do not count', async () => {
    const visitor = createVisitor()
    const foreign = { ...visitor, Origin: 'https://evil.example' }
    expect(tally(await getStatuses(31, () => send({}, foreign)))).toEqual({ 403: 31 })
    expect(tally(await getStatuses(31, () => send({}, visitor)))).toEqual({ 200: 31 })
  })
})
