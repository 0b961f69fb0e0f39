import request from 'supertest'
import { en, fr } from '../../../shared/content/index.ts'
import { writeRequest } from '../../../tools/harness/raw-client.ts'
import {
  askRaw,
  createVisitor,
  get,
  NOON,
  send,
  sendBody,
  sendFormBody,
  setUpSite,
  site,
  VALID,
} from '../setup.ts'

const MAX_BYTES = 32 * 1024
const JSON_TYPE = { 'Content-Type': 'application/json' }

setUpSite()

function padded(size: number): string {
  const json = JSON.stringify({ ...VALID, padding: '' })
  return json.replace('"padding":""', `"padding":"${'x'.repeat(size - Buffer.byteLength(json))}"`)
}

const PLAIN = { 'Content-Type': 'text/plain' }
const TYPE = 'unsupported-media-type'
const large = `{${' '.repeat(MAX_BYTES)}`

/** In the order of the checks. */
const REFUSED: [
  status: number,
  code: string,
  title: string,
  body: object | string,
  headers?: object,
][] = [
  [403, 'cross-site', 'before the media type', large, { Origin: 'null', ...PLAIN }],
  [415, TYPE, 'before the size', large, PLAIN],
  [415, TYPE, 'another type', VALID, { 'Content-Type': 'application/jsonx' }],
  [415, TYPE, 'no type', VALID, { 'Content-Type': '' }],
  [415, TYPE, 'Latin-1', VALID, { 'Content-Type': 'application/json; charset=iso-8859-1' }],
  [415, TYPE, 'compressed', VALID, { 'Content-Encoding': 'gzip' }],
  [413, 'too-large', 'before the JSON', large],
  [413, 'too-large', 'a byte too many', padded(MAX_BYTES + 1)],
  [400, 'malformed-json', 'nothing', ''],
  [400, 'malformed-json', 'half an object', '{"firstName":'],
  [400, 'not-an-object', 'null', 'null'],
  [400, 'not-an-object', 'a list', '[]'],
  [400, 'message-too-short', 'before the shape', { ...VALID, service: 'no', message: 'court' }],
  [400, 'unknown-service', 'before the trap', { ...VALID, service: 'no', website: 'x' }],
]

test.each(REFUSED)('%d %s: %s', async (status, code, _title, sent, headers = {}) => {
  const answer = await sendBody(sent, headers)
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

const LARGE = { 'Content-Length': MAX_BYTES + 1 }

test.each([
  ['PUT', '/api/contact', { Origin: 'null', ...PLAIN, ...LARGE }, '', 405],
  ['POST', '/api/contact', { 'Content-Length': 2 }, '{}', 415],
  ['POST', '/api/contact', { ...JSON_TYPE, 'Transfer-Encoding': 'gzip,chunked' }, '0\r\n\r\n', 415],
  ['POST', '/api/contact', { ...JSON_TYPE, ...LARGE }, '', 413],
  ['POST', '/contact', { 'Content-Type': 'application/x-www-form-urlencoded', ...LARGE }, '', 413],
])('%s %s with %j is answered before the rest of the body: %j, %d', async (...row) => {
  const [method, path, headers, body, status] = row
  const answer = await askRaw(writeRequest(method, path, { ...headers, ...createVisitor() }, body))
  expect(answer.status).toBe(status)
})

test.each([
  { 'Content-Type': 'application/json; charset=utf-8' },
  { 'Content-Type': 'application/json;charset="UTF-8"' },
  { 'Content-Type': 'APPLICATION/JSON ; charset=utf8' },
  { 'Content-Encoding': 'identity' },
])('%j is JSON in UTF-8', async (headers) => {
  expect((await send({}, headers)).status).toBe(200)
})

test('exactly 32 KiB, and a byte order mark, are accepted', async () => {
  await sendBody(padded(MAX_BYTES)).expect(200)
  await sendBody(`\ufeff${JSON.stringify(VALID)}`).expect(200)
})

test.each([
  ['a stray byte', [0x22, 0xff, 0x22]],
  ['Latin-1', [0x22, 0xe9, 0x22]],
  ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
])('bytes that are not UTF-8 are 400: %s', async (_name, bytes) => {
  const headers = { ...JSON_TYPE, ...createVisitor() }
  const body = Uint8Array.from(bytes)
  const answer = await fetch(`${site.url}/api/contact`, { method: 'POST', headers, body })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ code: 'not-utf8' })
})

test.each(['firstName=%ff', 'firstName=%zz', '%e9=1'])(
  'a form that is not UTF-8 is 400: %s',
  async (fields) => {
    await sendFormBody(fields).expect(400)
  },
)

test('the last of repeated fields in a form counts', async () => {
  await sendFormBody(`firstName=Abc&${new URLSearchParams(VALID)}`).expect(303)
  const names = (await site.messages()).map(({ firstName }) => firstName)
  expect(names).not.toContain('Abc')
})

test('the rules before the replay: a key does not excuse a faulty request', async () => {
  const headers = { ...createVisitor(), 'Idempotency-Key': 'order-1' }
  await send({}, headers).expect(200)
  const { body } = await send({ formStartTime: String(NOON) }, headers)
  expect(body.code).toBe('too-fast')
})

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
  ['', 'application/problem+json'],
  ['*/*', 'application/problem+json'],
  ['application/problem+json', 'application/problem+json'],
  ['image/png', 'application/problem+json'],
  ['application/json, text/plain;q=0.5', 'application/problem+json'],
  ['text/html', 'application/problem+json'],
  ['text/plain', 'text/plain'],
  ['text/plain, */*;q=0.1', 'text/plain'],
])('to a client that accepts %j a refusal is %s', async (Accept, type) => {
  const { headers, text } = await refused({ Accept }).expect(400)
  expect(headers['content-type']?.split(';')[0]).toBe(type)
  if (type === 'text/plain') expect(text).toBe(fr.contact.faults['email-invalid'])
})

test.each([
  [{}, 'fr'],
  [{ 'Accept-Language': 'en' }, 'en'],
  [{ 'Accept-Language': 'en-CA,fr-CA;q=0.8' }, 'en'],
  [{ 'Accept-Language': 'fr-CA,en;q=0.9' }, 'fr'],
  [{ 'Accept-Language': 'fr;q=0.3, en;q=0.9' }, 'en'],
  [{ 'Accept-Language': '*' }, 'fr'],
  [{ 'Accept-Language': 'rubbish;;q=' }, 'fr'],
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
  expect(text).not.toMatch(/\bat |\.ts|Asked for/)
})

test('a path under /api that cannot be decoded is a 400 problem', async () => {
  const { body } = await get('/api/%zz', { Cookie: 'rg-language=en' }).expect(400)
  expect(body.detail).toBe(en.errors.problems['bad-path'])
})
