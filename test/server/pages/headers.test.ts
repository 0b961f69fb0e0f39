import request from 'supertest'
import { writeRequest } from '../../../tools/harness/raw-client.ts'
import { createFailingRenderer, SHORT_LIMITS } from '../../support/site.ts'
import {
  askRaw,
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

const FEATURES = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'display-capture']

const environment = { PUBLIC_URL: 'https://www.exemple.ca' }
const renderer = await createFailingRenderer('services')
setUpSite({ environment, limits: SHORT_LIMITS, parts: { renderer } })

interface Answer {
  status: number
  headers: Record<string, string>
}

const revisit = async (path: string) =>
  get(path, { 'If-None-Match': (await get(path)).headers.etag })

const rawGet = (headers: Record<string, string>, path = '/') =>
  askRaw(writeRequest('GET', path, headers))

type Row = [name: string, status: number, ask: () => PromiseLike<Answer>]

/** One answer of each part of the code that writes a head. */
const answers: Row[] = [
  ['a page, new', 200, () => get('/privacy-policy')],
  ['a page, stored', 200, () => get('/privacy-policy')],
  ['a page unchanged', 304, () => revisit('/')],
  ['a page that throws', 500, () => get('/services')],
  ['a broken address', 400, () => get('/%zz')],
  ['a redirect', 308, () => get('//evil.example/')],
  ['another method', 405, () => request(site.url).delete('/')],
  ['HEAD', 200, () => request(site.url).head('/')],
  ['a file', 200, () => get('/icon.svg')],
  ['a file unchanged', 304, () => revisit('/icon.svg')],
  ['the sitemap', 200, () => get('/sitemap.xml')],
  ['liveness', 200, () => get('/livez')],
  ['a report of a script error', 204, () => report()],
  ['an accepted message', 200, () => send()],
  ['a message too large', 413, () => sendBody('x'.repeat(33_000))],
  ['a refused message, as text', 400, () => sendBody({}, { Accept: 'text/plain' })],
  ['an accepted form', 303, () => sendForm()],
  ['a refused form', 400, () => sendFormBody('')],
  ['a foreign Host', 421, () => rawGet({ Host: 'evil.example' })],
  ['no HTTP', 400, () => askRaw('hello\r\n\r\n')],
  ['a head that stops', 408, () => askRaw('GET / HTTP/1.1\r\nHost')],
]

const POLICY = [
  "base-uri 'none'",
  "connect-src 'self'",
  "default-src 'none'",
  "font-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "script-src 'self'",
  // The hash is of the inline styles. Answers of pass-to-app.ts have 'self' instead.
  expect.stringMatching(/^style-src 'self'(?: 'sha256-[\w+/]{43}=')?$/),
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
    'cross-origin-resource-policy': name.startsWith('a file') ? 'cross-origin' : 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'strict-transport-security': 'max-age=63072000',
    'x-request-id': expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
  })
  expect(headers['content-security-policy']?.split(';').sort()).toEqual(POLICY)
  const features = headers['permissions-policy']?.split(', ')
  expect(features).toEqual(expect.arrayContaining(FEATURES.map((name) => `${name}=()`)))
  expect(features?.every((feature) => /^[a-z-]+=\(\)$/.test(feature))).toBe(true)
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
