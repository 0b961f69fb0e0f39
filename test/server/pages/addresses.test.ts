import request from 'supertest'
import { fr } from '../../../shared/content/index.ts'
import { pages } from '../../../shared/pages.ts'
import { exchange, writeRequest } from '../../../tools/harness/raw-client.ts'
import { type Site, startSite } from '../../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const known = pages.flatMap(({ path, status }) => (path ? [{ path, status }] : []))
const METHODS = ['post', 'put', 'patch', 'delete', 'options'] as const

/** Raw, because HTTP clients normalize URLs. */
const raw = async (target: string, method = 'GET') => {
  const [head = '', body = ''] = (await exchange(site, writeRequest(method, target))).split(
    '\r\n\r\n',
  )
  const status = Number(head.split(' ')[1])
  return { status, body, location: /^location: (.*)$/im.exec(head)?.[1] }
}

test.each(known)('HEAD $path is $status without a body', async ({ path, status }) => {
  const head = await request(site.url).head(path)
  const get = await request(site.url).get(path)
  expect(head.status).toBe(status)
  expect(head.text ?? '').toBe('')
  for (const name of ['content-type', 'cache-control', 'etag', 'content-security-policy']) {
    expect(head.headers[name]).toBe(get.headers[name])
  }
  const { body } = await raw(path, 'HEAD')
  expect(body).toBe('')
})

describe.each(METHODS)('%s', (method) => {
  const files = ['/robots.txt', '/sitemap.xml', '/icon.svg']
  const pathsOf = known.map(({ path }) => path).filter((path) => path !== '/contact')
  test.each([...pathsOf, ...files])('on %s is 405 with Allow', async (path) => {
    const { status, headers } = await request(site.url)[method](path)
    expect(status).toBe(405)
    expect(headers.allow).toBe('GET, HEAD')
  })

  test('on an unknown path is 404', async () => {
    expect((await request(site.url)[method]('/no-such-page')).status).toBe(404)
  })
})

test.each(METHODS.filter((method) => method !== 'post'))(
  '%s on /contact is 405 and allows POST',
  async (method) => {
    const { status, headers } = await request(site.url)[method]('/contact')
    expect(status).toBe(405)
    expect(headers.allow).toBe('GET, HEAD, POST')
  },
)

test.each([
  '/no-such-page',
  '/Services',
  '/SERVICES',
  '/contact.html',
  '/index.html',
  '/services/extra',
  '/%73ervices/..',
  '/.vite/manifest.json',
  '/..%2f..%2fpackage.json',
  '/%00',
  '/__proto__',
  '/constructor',
  '/API/contact',
])('%s is 404', async (path) => {
  const { status, body } = await raw(path)
  expect(status).toBe(404)
  expect(body).toContain(fr.errors.notFound.headline)
})

describe('a repeated or trailing slash is a 308', () => {
  test.each([
    ['/services/', '/services'],
    ['/services//', '/services'],
    ['//services', '/services'],
    ['//', '/'],
    ['///?a=1', '/?a=1'],
    ['/services/?lang=en&a=/b/', '/services?lang=en&a=/b/'],
    ['/no//such/', '/no/such'],
    ['//evil.example/', '/evil.example'],
    ['//evil.example/%2e%2e', '/evil.example/%2e%2e'],
    ['///evil.example', '/evil.example'],
    ['/services/?next=//evil.example/', '/services?next=//evil.example/'],
  ])('%s to %s', async (target, location) => {
    expect(await raw(target)).toMatchObject({ status: 308, location })
  })

  test.each([
    '//evil.example/',
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
  ])('that never leads abroad: %s', async (target) => {
    const { status, location } = await raw(target)
    expect(status).toBeGreaterThanOrEqual(300)
    expect(status).toBeLessThan(500)
    if (location) expect(new URL(location, 'http://ours.example').host).toBe('ours.example')
  })

  test('an absolute URL keeps its path and query', async () => {
    const { location } = await raw('http://localhost/services/?lang=en')
    expect(location).toBe('/services?lang=en')
  })

  test('for every method', async () => {
    expect(await raw('/contact/', 'POST')).toMatchObject({ status: 308, location: '/contact' })
  })
})

describe('a path that cannot be decoded is 400', () => {
  test.each(['/%', '/%zz', '/services%', '/%E9', '/%c0%af', '/%ed%a0%80'])('%s', async (target) => {
    const { status, body } = await raw(target)
    expect(status).toBe(400)
    expect(body).toContain('<html lang="fr-CA"')
    expect(body).toContain('noindex')
  })

  test('a query that cannot be decoded does no harm', async () => {
    expect((await raw('/?lang=%zz&%')).status).toBe(200)
  })
})
