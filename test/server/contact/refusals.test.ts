import request from 'supertest'
import { post, postForm, VALID } from '../../../tools/harness/contact.ts'
import { exchange, writeRequest } from '../../../tools/harness/raw-client.ts'
import { type Site, startSite } from '../../support/site.ts'
import { BEHIND_PROXY, createVisitor } from '../../support/visitors.ts'

const KIB = 1024
const SIZE = 32 * KIB

let site: Site
beforeAll(async () => {
  site = await startSite({ environment: BEHIND_PROXY })
})
afterAll(() => site.stop())

/** A valid request of exactly so many bytes. */
function padded(size: number): string {
  const json = JSON.stringify({ ...VALID, padding: '' })
  return json.replace('"padding":""', `"padding":"${'x'.repeat(size - Buffer.byteLength(json))}"`)
}

describe('another method', () => {
  test.each(['get', 'head', 'put', 'patch', 'delete', 'options'] as const)(
    '%s is 405 with Allow',
    async (method) => {
      const { status, headers } = await request(site.url)[method]('/api/contact')
      expect(status).toBe(405)
      expect(headers.allow).toBe('POST')
      expect(headers['content-type']).toMatch(/^application\/problem\+json/)
    },
  )
})

describe('a media type, charset or encoding that is not ours is 415', () => {
  test.each([
    [{ 'Content-Type': 'text/plain' }],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }],
    [{ 'Content-Type': 'application/jsonx' }],
    [{ 'Content-Type': '' }],
    [{ 'Content-Type': 'application/json; charset=iso-8859-1' }],
    [{ 'Content-Type': 'application/json; charset=utf-16' }],
    [{ 'Content-Encoding': 'gzip' }],
    [{ 'Content-Encoding': 'br' }],
  ])('%j', async (headers) => {
    const { status, body } = await post(site, VALID, { ...createVisitor(), ...headers })
    expect(status).toBe(415)
    expect(body.code).toBe('unsupported-media-type')
  })

  test('and a transfer coding that nobody here undoes', async () => {
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'gzip, chunked' }
    const request = writeRequest(
      'POST',
      '/api/contact',
      { ...headers, ...createVisitor() },
      '0\r\n\r\n',
    )
    expect(await exchange(site, request)).toMatch(/^HTTP\/1\.1 415 /)
  })

  test('and without a Content-Type', async () => {
    const answer = await exchange(
      site,
      writeRequest('POST', '/api/contact', { 'Content-Length': 2 }, '{}'),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 415 /)
  })

  test('and for the form', async () => {
    const headers = { ...createVisitor(), 'Content-Type': 'application/json' }
    const { status, text } = await postForm(site, '{}', headers)
    expect(status).toBe(415)
    expect(text).toContain('<html lang="fr-CA"')
  })

  test('and for a form of several parts', async () => {
    const headers = { ...createVisitor(), 'Content-Type': 'multipart/form-data; boundary=x' }
    expect((await postForm(site, '--x--', headers)).status).toBe(415)
  })
})

test.each([
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'APPLICATION/JSON ; charset=utf8',
])('%s is JSON in UTF-8', async (type) => {
  const headers = { ...createVisitor(), 'Content-Type': type }
  expect((await post(site, VALID, headers)).status).toBe(200)
})

test('an encoding called identity is none', async () => {
  const headers = { ...createVisitor(), 'Content-Encoding': 'identity' }
  expect((await post(site, VALID, headers)).status).toBe(200)
})

describe('over 32 KiB', () => {
  test('exactly 32 KiB is accepted', async () => {
    expect((await post(site, padded(SIZE), createVisitor())).status).toBe(200)
  })

  test('one byte more is 413', async () => {
    const { status, body } = await post(site, padded(SIZE + 1), createVisitor())
    expect(status).toBe(413)
    expect(body.code).toBe('too-large')
  })

  test.each([
    ['/api/contact', 'application/json'],
    ['/contact', 'application/x-www-form-urlencoded'],
  ])('%s is answered at once, by Content-Length, before any of it is sent', async (path, type) => {
    const headers = { 'Content-Type': type, 'Content-Length': SIZE + 1, ...createVisitor() }
    expect(await exchange(site, writeRequest('POST', path, headers))).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('in chunks it is 413 as soon as it is too much', async () => {
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
    const chunk = `${(16 * KIB).toString(16)}\r\n${' '.repeat(16 * KIB)}\r\n`
    const request = writeRequest('POST', '/api/contact', { ...headers, ...createVisitor() })
    const endless = `${request}${chunk.repeat(3)}`
    expect(await exchange(site, endless)).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describe('a body that is no JSON object is 400', () => {
  test.each([
    ['nothing', '', 'malformed-json'],
    ['half an object', '{"firstName":', 'malformed-json'],
    ['a trailing comma', '{"a":1,}', 'malformed-json'],
    ['two objects', '{}{}', 'malformed-json'],
    ['null', 'null', 'not-an-object'],
    ['a list', '[]', 'not-an-object'],
    ['a string', '"text"', 'not-an-object'],
    ['a number', '12', 'not-an-object'],
  ])('%s', async (_name, text, code) => {
    const { status, body } = await post(site, text, createVisitor())
    expect(status).toBe(400)
    expect(body.code).toBe(code)
  })

  test.each([
    ['a stray byte', [0x22, 0xff, 0x22]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
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
      expect((await postForm(site, fields, createVisitor())).status).toBe(400)
    },
  )
})

test('of a repeated field in a form the last one counts', async () => {
  const fields = `firstName=Abc&${new URLSearchParams(VALID)}`
  expect((await postForm(site, fields, createVisitor())).status).toBe(303)
  const names = (await site.messages()).map(({ firstName }) => firstName)
  expect(names).not.toContain('Abc')
})

test('a JSON body may carry a byte order mark', async () => {
  const { status } = await post(site, `\ufeff${JSON.stringify(VALID)}`, createVisitor())
  expect(status).toBe(200)
})

test('an answer to nobody is not an answer to all: no CORS headers anywhere', async () => {
  const Origin = 'https://evil.example'
  const answers = [
    await post(site, VALID, { ...createVisitor(), Origin }),
    await request(site.url).options('/api/contact').set({ Origin }),
    await request(site.url).get('/').set({ Origin }),
  ]
  for (const { headers } of answers) {
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})
