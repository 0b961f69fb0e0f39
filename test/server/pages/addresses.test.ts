import request from 'supertest'
import { fr } from '../../../shared/content/index.ts'
import { pages } from '../../../shared/pages.ts'
import { getRaw, setUpSite, site } from '../setup.ts'

setUpSite()

const METHODS = ['post', 'put', 'patch', 'delete', 'options'] as const

const known = pages.flatMap(({ path }) => path ?? [])
const readable = [...known, '/robots.txt', '/sitemap.xml', '/site.webmanifest', '/livez', '/readyz']
readable.push('/api/openapi.json', '/api/test-error')

test('a known path answers other methods with 405 and the allowed ones', async () => {
  const rows = [
    ...readable
      .filter((path) => path !== '/contact')
      .flatMap((path) => METHODS.map((method) => [method, path, 'GET, HEAD'] as const)),
    ['put', '/contact', 'GET, HEAD, POST'],
    ['get', '/api/contact', 'POST'],
    ['put', '/api/contact', 'POST'],
    ['get', '/api/client-errors', 'POST'],
  ] as const
  const answers = await Promise.all(
    rows.map(async ([method, path]) => {
      const { status, headers } = await request(site.url)[method](path)
      return [method, path, status, headers.allow]
    }),
  )
  expect(answers).toEqual(rows.map(([method, path, allow]) => [method, path, 405, allow]))
})

test.each(METHODS)('%s on an unknown path is 404', async (method) => {
  expect((await request(site.url)[method]('/no-such-page')).status).toBe(404)
})

test.each([
  '/Services',
  '/services/extra',
  '/.vite/manifest.json',
  '/..%2f..%2fpackage.json',
  '/%00',
  '/__proto__',
  '/API/contact',
  '/index.html',
])('%s is the 404 page', async (path) => {
  const { status, body } = await getRaw(path)
  expect([status, body.includes(fr.errors.notFound.headline)]).toEqual([404, true])
})

test.each([
  ['/services/', '/services'],
  ['//services', '/services'],
  ['///?a=1', '/?a=1'],
  ['/services/?lang=en&a=/b/', '/services?lang=en&a=/b/'],
  ['/no//such/', '/no/such'],
  ['/contact/', '/contact', 'POST'],
  // RFC 3986, 2.3: letters, digits and -._~ mean the same when they are percent-encoded.
  ['/public%2Dsafety', '/public-safety'],
  ['/%73ervices?x=%2D', '/services?x=%2D'],
  ['/%61%7e%5F%2e%39%5A', '/a~_.9Z'],
])('an address has one spelling: %s is a 308 to %s', async (target, location, method = 'GET') => {
  const answer = await getRaw(target, {}, method)
  expect(answer).toMatchObject({ status: 308, headers: { location } })
})

test.each([
  '//evil.example/',
  '//evil.example/%2e%2e',
  '/%2F/evil.example/',
  '/\\evil.example/',
  '/\\/evil.example/',
  '/\\\\evil.example//',
  '//evil.example\\',
  '/%5Cevil.example/',
  '/%09/evil.example/',
  'http://evil.example//services/',
  '//user@evil.example//',
])('no redirect leads abroad: %s', async (target) => {
  const { status, headers } = await getRaw(target)
  expect(status).toBeGreaterThanOrEqual(300)
  expect(status).toBeLessThan(500)
  expect(new URL(headers.location ?? '', 'http://ours.example').host).toBe('ours.example')
})

test.each(['/%', '/%zz', '/services%', '/%E9', '/%c0%af', '/%ed%a0%80'])(
  'a path that cannot be decoded is the 400 page: %s',
  async (target) => {
    const { status, body } = await getRaw(target)
    expect([status, body.includes('noindex'), body.includes('<html')]).toEqual([400, true, true])
  },
)

test('under /api such a path is a problem, and a query that cannot be decoded does no harm', async () => {
  const { status, body } = await getRaw('/api/%zz')
  expect([status, JSON.parse(body).code]).toEqual([400, 'bad-path'])
  expect((await getRaw('/?lang=%zz&%')).status).toBe(200)
})
