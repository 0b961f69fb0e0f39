import request from 'supertest'
import { exchange, writeRequest } from '../../../tools/harness/raw-client.ts'
import { createVisitor, send, sendBody, sendFormBody, setUpSite, site, VALID } from '../setup.ts'

const MAX_BYTES = 32 * 1024

setUpSite()

/** Sends a raw request from a new visitor; resolves to the raw answer. */
const ask = (path: string, headers: object, body?: string) =>
  exchange(site, writeRequest('POST', path, { ...headers, ...createVisitor() }, body))

function padded(size: number): string {
  const json = JSON.stringify({ ...VALID, padding: '' })
  return json.replace('"padding":""', `"padding":"${'x'.repeat(size - Buffer.byteLength(json))}"`)
}

test.each(['get', 'head', 'put', 'patch', 'delete', 'options'] as const)(
  '%s is 405 with Allow',
  async (method) => {
    const { status, headers } = await request(site.url)[method]('/api/contact')
    expect(status).toBe(405)
    expect(headers.allow).toBe('POST')
    expect(headers['content-type']).toMatch(/^application\/problem\+json/)
  },
)

describe('an unknown media type, charset or encoding is 415', () => {
  test.each([
    [{ 'Content-Type': 'text/plain' }],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }],
    [{ 'Content-Type': 'application/jsonx' }],
    [{ 'Content-Type': '' }],
    [{ 'Content-Type': 'application/json; charset=iso-8859-1' }],
    [{ 'Content-Encoding': 'gzip' }],
  ])('%j', async (headers) => {
    const { status, body } = await send({}, headers)
    expect(status).toBe(415)
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
    const { status, body } = await sendBody(padded(MAX_BYTES + 1))
    expect(status).toBe(413)
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
    const { status, body } = await sendBody(text)
    expect(status).toBe(400)
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
  const { status } = await sendBody(`\ufeff${JSON.stringify(VALID)}`)
  expect(status).toBe(200)
})
