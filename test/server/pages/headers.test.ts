import request from 'supertest'
import { createFailingRenderer } from '../../support/site.ts'
import {
  get,
  openSite,
  report,
  send,
  sendBody,
  sendForm,
  sendFormBody,
  setUpSite,
  site,
} from '../setup.ts'

const environment = { PUBLIC_URL: 'https://www.exemple.ca' }
const renderer = await createFailingRenderer('services')
setUpSite({ environment, parts: { renderer } })

const revisit = async (path: string) =>
  get(path, { 'If-None-Match': (await get(path)).headers.etag })

type Answer = PromiseLike<{ status: number; headers: Record<string, string> }>

const answers: [name: string, status: number, ask: () => Answer][] = [
  ['a page, new', 200, () => get('/privacy-policy')],
  ['a page, kept', 200, () => get('/privacy-policy')],
  ['a page unchanged', 304, () => revisit('/')],
  ['a page that throws', 500, () => get('/services')],
  ['a broken address', 400, () => get('/%zz')],
  ['a redirect', 308, () => get('//evil.example/')],
  ['another method', 405, () => request(site.url).delete('/')],
  ['HEAD', 200, () => request(site.url).head('/')],
  ['a file', 200, () => get('/icon.svg')],
  ['a file that is missing', 404, () => get('/assets/none.js')],
  ['the sitemap', 200, () => get('/sitemap.xml')],
  ['liveness', 200, () => get('/livez')],
  ['a report of a script error', 204, () => report()],
  ['an accepted message', 200, () => send()],
  ['a message too large', 413, () => sendBody('x'.repeat(33_000))],
  ['a refused message, as text', 400, () => sendBody({}, { Accept: 'text/plain' })],
  ['an accepted form', 303, () => sendForm()],
  ['a refused form', 400, () => sendFormBody('')],
]

const POLICY = [
  "base-uri 'none'",
  "connect-src 'self'",
  "default-src 'none'",
  "font-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self'",
  "manifest-src 'self'",
  "script-src 'self'",
  expect.stringMatching(/^style-src 'self'(?: 'sha256-[\w+/]{43}=')*$/),
]

test.each(answers)('%s (%d) has every security header and a request id', async (...row) => {
  const [name, expected, ask] = row
  const { status, headers } = await ask()
  expect(status).toBe(expected)
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': name === 'a file' ? 'cross-origin' : 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'strict-transport-security': 'max-age=63072000',
    'x-request-id': expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
  })
  expect(headers['content-security-policy']?.split(';').sort()).toEqual(POLICY)
  for (const unwanted of ['x-powered-by', 'server', 'access-control-allow-origin']) {
    expect(headers).not.toHaveProperty(unwanted)
  }
})

test('https is not asked for where PUBLIC_URL does not say it', async () => {
  const plain = await openSite({ environment: { PUBLIC_URL: 'http://exemple.ca' } })
  const { headers } = await request(plain.url).get('/')
  await plain.stop()
  expect(headers).not.toHaveProperty('strict-transport-security')
})
