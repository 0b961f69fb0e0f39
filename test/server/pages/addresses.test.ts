import request from 'supertest'
import { fr } from '../../../shared/content/index.ts'
import { pages } from '../../../shared/pages.ts'
import { writeRequest } from '../../../tools/harness/raw-client.ts'
import { askRaw, get, setUpSite, site } from '../setup.ts'

setUpSite()

const known = pages.flatMap(({ path, status }) => (path ? [{ path, status }] : []))
const METHODS = ['post', 'put', 'patch', 'delete', 'options'] as const

/** Sends raw bytes, because HTTP clients normalize URLs. */
const raw = (target: string, method = 'GET') => askRaw(writeRequest(method, target))

test.each(known)('HEAD $path is $status without a body', async ({ path, status }) => {
  const head = await raw(path, 'HEAD')
  const { headers } = await get(path, { 'Accept-Encoding': 'identity' })
  expect(head.status).toBe(status)
  expect(head.body).toBe('')
  for (const name of [
    'content-type',
    'content-length',
    'cache-control',
    'etag',
    'content-security-policy',
  ]) {
    expect(head.headers[name]).toBe(headers[name])
  }
})

const FILES = ['/robots.txt', '/sitemap.xml', '/icon.svg', '/livez', '/readyz']
const API = ['/api/openapi.json', '/api/test-error']
const readable = [...known.map(({ path }) => path), ...FILES, ...API]
const gets = readable.flatMap((path) => METHODS.map((method) => [method, path] as const))

test.each([
  ...gets.filter(([, path]) => path !== '/contact').map((row) => [...row, 'GET, HEAD'] as const),
  ['put', '/contact', 'GET, HEAD, POST'],
  ['get', '/api/contact', 'POST'],
  ['get', '/api/client-errors', 'POST'],
] as const)('%s on %s is 405 and allows %s', async (method, path, allowed) => {
  const { headers } = await request(site.url)[method](path).expect(405)
  expect(headers.allow).toBe(allowed)
})

test.each(METHODS)('%s on an unknown path is 404', async (method) => {
  expect((await request(site.url)[method]('/no-such-page')).status).toBe(404)
})

test.each([
  '/Services',
  '/services/extra',
  '/%73ervices/..',
  '/.vite/manifest.json',
  '/..%2f..%2fpackage.json',
  '/%00',
  '/__proto__',
  '/API/contact',
])('%s is 404', async (path) => {
  const { status, body } = await raw(path)
  expect(status).toBe(404)
  expect(body).toContain(fr.errors.notFound.headline)
})

test.each([
  ['/services/', '/services'],
  ['//services', '/services'],
  ['///?a=1', '/?a=1'],
  ['/services/?lang=en&a=/b/', '/services?lang=en&a=/b/'],
  ['/no//such/', '/no/such'],
  ['/services/?next=//evil.example/', '/services?next=//evil.example/'],
  ['http://localhost/services/?lang=en', '/services?lang=en'],
  ['/contact/', '/contact', 'POST'],
])('a repeated or trailing slash is a 308: %s to %s', async (target, location, method = 'GET') => {
  expect(await raw(target, method)).toMatchObject({ status: 308, headers: { location } })
})

test.each([
  '//evil.example/',
  '//evil.example/%2e%2e',
  '/\\evil.example/',
  '/\\/evil.example/',
  '/\\\\evil.example//',
  '\\\\evil.example/',
  '//evil.example\\',
  '/%5Cevil.example/',
  '/%2Fevil.example/',
  '/%09/evil.example/',
  'http://evil.example//services/',
  'http://evil.example/services/',
  'http:evil.example/',
  '//user@evil.example//',
])('no redirect leads abroad: %s', async (target) => {
  const { status, headers } = await raw(target)
  expect(status).toBeGreaterThanOrEqual(300)
  expect(status).toBeLessThan(500)
  const { host } = new URL(headers.location ?? '', 'http://ours.example')
  expect(host).toBe('ours.example')
})

test('a target that is not a path is not redirected', async () => {
  expect((await raw('*//', 'OPTIONS')).status).toBe(404)
})

test.each(['/%', '/%zz', '/services%', '/%E9', '/%c0%af', '/%ed%a0%80'])(
  'a path that cannot be decoded is 400: %s',
  async (target) => {
    const { status, body } = await raw(target)
    expect(status).toBe(400)
    expect(body).toContain('<html lang="fr"')
    expect(body).toContain('noindex')
  },
)

test('a query that cannot be decoded does no harm', async () => {
  expect((await raw('/?lang=%zz&%')).status).toBe(200)
})
