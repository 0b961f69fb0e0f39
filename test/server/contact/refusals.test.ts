import request from 'supertest'
import { en, fr } from '../../../shared/content/index.ts'
import { exchange, writeRequest } from '../../../tools/harness/raw-client.ts'
import {
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

setUpSite()

/** Sends a raw request from a new visitor; resolves to the raw answer. */
const ask = (path: string, headers: object, body?: string) =>
  exchange(site, writeRequest('POST', path, { ...headers, ...createVisitor() }, body))

function padded(size: number): string {
  const json = JSON.stringify({ ...VALID, padding: '' })
  return json.replace('"padding":""', `"padding":"${'x'.repeat(size - Buffer.byteLength(json))}"`)
}

describe('an unknown media type, charset or encoding is 415', () => {
  test.each([
    [{ 'Content-Type': 'text/plain' }],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }],
    [{ 'Content-Type': 'application/jsonx' }],
    [{ 'Content-Type': '' }],
    [{ 'Content-Type': 'application/json; charset=iso-8859-1' }],
    [{ 'Content-Encoding': 'gzip' }],
  ])('%j', async (headers) => {
    const { body } = await send({}, headers).expect(415)
    expect(body.code).toBe('unsupported-media-type')
  })

  test.each([
    [{ 'Content-Type': 'application/json', 'Transfer-Encoding': 'gzip, chunked' }, '0\r\n\r\n'],
    [{ 'Content-Length': 2 }, '{}'],
  ])('%j', async (headers, body) => {
    expect(await ask('/api/contact', headers, body)).toMatch(/^HTTP\/1\.1 415 /)
  })
})

test.each([
  { 'Content-Type': 'application/json; charset=utf-8' },
  { 'Content-Type': 'application/json;charset="UTF-8"' },
  { 'Content-Type': 'APPLICATION/JSON ; charset=utf8' },
  { 'Content-Encoding': 'identity' },
])('%j is JSON in UTF-8', async (headers) => {
  expect((await send({}, headers)).status).toBe(200)
})

describe('over 32 KiB', () => {
  test('exactly 32 KiB is accepted', async () => {
    expect((await sendBody(padded(MAX_BYTES))).status).toBe(200)
  })

  test('one byte more is 413', async () => {
    const { body } = await sendBody(padded(MAX_BYTES + 1)).expect(413)
    expect(body.code).toBe('too-large')
  })

  test.each([
    ['/api/contact', 'application/json'],
    ['/contact', 'application/x-www-form-urlencoded'],
  ])('%s is answered at once, by Content-Length, before any of it is sent', async (path, type) => {
    const headers = { 'Content-Type': type, 'Content-Length': MAX_BYTES + 1 }
    expect(await ask(path, headers)).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describe('a body that is no JSON object is 400', () => {
  test.each([
    ['nothing', '', 'malformed-json'],
    ['half an object', '{"firstName":', 'malformed-json'],
    ['a trailing comma', '{"a":1,}', 'malformed-json'],
    ['null', 'null', 'not-an-object'],
    ['a list', '[]', 'not-an-object'],
  ])('%s', async (_name, text, code) => {
    const { body } = await sendBody(text).expect(400)
    expect(body.code).toBe(code)
  })

  test.each([
    ['a stray byte', [0x22, 0xff, 0x22]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ])('bytes that are not UTF-8: %s', async (_name, bytes) => {
    const answer = await fetch(`${site.url}/api/contact`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...createVisitor() },
      body: Uint8Array.from(bytes),
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'not-utf8' })
  })

  test.each(['firstName=%ff', 'firstName=%zz', '%e9=1'])(
    'a form that is not UTF-8: %s',
    async (fields) => {
      expect((await sendFormBody(fields)).status).toBe(400)
    },
  )
})

test('the last of repeated fields in a form counts', async () => {
  const fields = `firstName=Abc&${new URLSearchParams(VALID)}`
  expect((await sendFormBody(fields)).status).toBe(303)
  const names = (await site.messages()).map(({ firstName }) => firstName)
  expect(names).not.toContain('Abc')
})

test('a JSON body may carry a byte order mark', async () => {
  await sendBody(`\ufeff${JSON.stringify(VALID)}`).expect(200)
})

test('the method is checked before the origin and the media type', async () => {
  const headers = { Origin: 'null', 'Content-Type': 'text/plain', 'Content-Length': 40_000 }
  const answer = await exchange(site, writeRequest('PUT', '/api/contact', headers))
  expect(answer).toMatch(/^HTTP\/1\.1 405 /)
})

test.each([
  ['cross-site', { Origin: 'null', 'Content-Type': 'text/plain' }],
  ['unsupported-media-type', { 'Content-Type': 'text/plain' }],
  ['too-large', {}],
])('%s is checked before what follows in this list, and before the JSON', async (code, headers) => {
  const { body } = await sendBody(`{${' '.repeat(MAX_BYTES)}`, headers)
  expect(body.code).toBe(code)
})

test.each([
  ['section 5 before the rest of the shape', { message: 'court' }, 'message-too-short'],
  ['the shape before the trap', { website: 'x' }, 'unknown-service'],
])('%s', async (_name, change, code) => {
  expect((await send({ service: 'no', ...change })).body.code).toBe(code)
})

test('the rules before the replay: a key does not excuse a faulty request', async () => {
  const headers = { ...createVisitor(), 'Idempotency-Key': 'order-1' }
  expect((await send({}, headers)).status).toBe(200)
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

describe('under /api', () => {
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

  test('a path that cannot be decoded is a 400 problem', async () => {
    const { body } = await get('/api/%zz', { Cookie: 'rg-language=en' }).expect(400)
    expect(body.detail).toBe(en.errors.problems['bad-path'])
  })
})
