import request from 'supertest'
import { post, postForm, VALID } from '../../helpers/contact.ts'
import { createFailingRenderer } from '../../helpers/renderers.ts'
import { type Site, startSite } from '../../helpers/site.ts'
import { BEHIND_PROXY, createVisitor } from '../../helpers/visitors.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({
    environment: BEHIND_PROXY,
    parts: { renderer: await createFailingRenderer('services') },
  })
})
afterAll(() => site.stop())

const get = (path: string) => request(site.url).get(path).redirects(0)
const revisit = async (path: string) =>
  get(path).set('If-None-Match', (await get(path)).headers.etag ?? '')

const answers: [name: string, status: number, ask: () => PromiseLike<request.Response>][] = [
  ['a page', 200, () => get('/')],
  ['a page unchanged', 304, () => revisit('/')],
  ['a page that does not exist', 404, () => get('/no-such-page')],
  ['the page of the server error', 500, () => get('/test-500')],
  ['a page that throws', 500, () => get('/services')],
  ['a broken address', 400, () => get('/%zz')],
  ['a redirect', 308, () => get('//evil.example/')],
  ['another method', 405, () => request(site.url).delete('/')],
  ['HEAD', 200, () => request(site.url).head('/')],
  ['a file', 200, () => get('/icon.svg')],
  ['a file unchanged', 304, () => revisit('/icon.svg')],
  ['the sitemap', 200, () => get('/sitemap.xml')],
  ['health', 200, () => get('/livez')],
  ['an API path that does not exist', 404, () => get('/api/nothing')],
  ['the test error', 500, () => get('/api/test-error')],
  ['an accepted message', 200, () => post(site, VALID, createVisitor())],
  ['a refused message', 400, () => post(site, {}, createVisitor())],
  ['a message too large', 413, () => post(site, 'x'.repeat(33_000), createVisitor())],
  ['an accepted form', 303, () => postForm(site, VALID, createVisitor())],
  ['a refused form', 400, () => postForm(site, {}, createVisitor())],
]

test.each(answers)('%s (%d) has every security header and a request id', async (...row) => {
  const [, expected, ask] = row
  const { status, headers } = await ask()
  expect(status).toBe(expected)
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'x-request-id': expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
  })
  expect(headers).not.toHaveProperty('x-powered-by')
  expect(headers).not.toHaveProperty('strict-transport-security')
})

test.each(answers)('%s (%d) has the whole content security policy', async (_name, _status, ask) => {
  const { headers } = await ask()
  const directives = headers['content-security-policy']?.split(';').sort()
  expect(directives).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self'",
    "manifest-src 'self'",
    expect.stringMatching(/^script-src 'self' 'sha256-[\w+/]{43}='$/),
    expect.stringMatching(/^style-src 'sha256-[\w+/]{43}='$/),
  ])
})

test('https is remembered where PUBLIC_URL says https', async () => {
  const secure = await startSite({ environment: { PUBLIC_URL: 'https://www.exemple.ca' } })
  const { headers } = await request(secure.url).get('/')
  await secure.stop()
  expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8,}$/)
})
