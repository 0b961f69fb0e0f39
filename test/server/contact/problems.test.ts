import request from 'supertest'
import { en, fr } from '../../../shared/content/index.ts'
import { get, send, setUpSite, site } from '../setup.ts'

setUpSite()

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
  const { status, headers, text } = await refused({ Accept })
  expect(status).toBe(400)
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
    const { status, headers, body } = await request(site.url)[method](path)
    expect(status).toBe(404)
    expect(headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(body).toMatchObject({ code: 'not-found', detail: fr.errors.problems['not-found'] })
  })

  test('the test error is a 500 problem without a stack', async () => {
    const { status, headers, text, body } = await get('/api/test-error')
    expect(status).toBe(500)
    expect(headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(body).toMatchObject({ code: 'server-error' })
    expect(text).not.toMatch(/\bat |\.ts|Asked for/)
  })

  test('a path that cannot be decoded is a 400 problem', async () => {
    const { status, body } = await get('/api/%zz', { Cookie: 'rg-language=en' })
    expect(status).toBe(400)
    expect(body.detail).toBe(en.errors.problems['bad-path'])
  })
})
