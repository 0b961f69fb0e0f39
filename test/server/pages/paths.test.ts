import request from 'supertest'
import { company } from '../../../shared/content/company.ts'
import { CONTENT, fr } from '../../../shared/content/index.ts'
import { LANGUAGES, otherLanguage } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { createFailingRenderer } from '../../support/site.ts'
import {
  get,
  getRaw,
  openSite,
  report,
  send,
  sendBody,
  sendForm,
  sendFormBody,
  setUpSite,
  site,
} from '../setup.ts'

const ORIGIN = 'https://www.exemple.ca'
const environment = { PUBLIC_URL: `${ORIGIN},https://exemple.ca` }
const renderer = await createFailingRenderer('services')

setUpSite({ environment })

const METHODS = ['post', 'put', 'patch', 'delete', 'options'] as const

const known = pages.flatMap(({ path }) => path ?? [])
const readable = [...known, '/robots.txt', '/sitemap.xml', '/site.webmanifest', '/livez', '/readyz']
readable.push('/api/openapi.json', '/api/test-error')

test('a known path answers other methods with 405 and the allowed ones', async () => {
  const rows = [
    ...METHODS.map((method) => [method, '/services', 'GET, HEAD'] as const),
    ...readable
      .filter((path) => path !== '/contact')
      .map((path) => ['post', path, 'GET, HEAD'] as const),
    ['put', '/contact', 'GET, HEAD, POST'],
    ['get', '/api/contact', 'POST'],
    ['put', '/api/contact', 'POST'],
    ['get', '/api/browser-errors', 'POST'],
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
  '/services/extra',
  '/Services/extra',
  '/..%2f..%2fpackage.json',
  '/%00',
  '/__proto__',
  '/index.html',
])('%s is the 404 page', async (path) => {
  const { status, body } = await getRaw(path)
  expect([status, body.includes(fr.errors.notFound.headline)]).toEqual([404, true])
})

test.each([
  ['/services/', '/services'],
  ['/services/?lang=en&a=/b/', '/services?lang=en&a=/b/'],
  ['/contact/', '/contact', 'POST'],
  ['//services', '/services'],
  ['/public%2Dsafety', '/public-safety'],
  ['/Contact?service=francophone&lang=en', '/contact?service=francophone&lang=en'],
  ['/PRIVACY-Policy', '/privacy-policy'],
  ['/%53ervices', '/Services'],
])('an address has one spelling: %s is a 308 to %s', async (target, location, method = 'GET') => {
  const answer = await getRaw(target, {}, method)
  expect(answer).toMatchObject({ status: 308, headers: { location } })
})

test.each([
  '//evil.example/',
  '/%2F/evil.example/',
  '/\\evil.example/',
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

test.each(['/%', '/%zz', '/%E9', '/%c0%af'])(
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

describe('search engines', () => {
  const text = async (path: string) => (await get(path)).text
  const TWINS = { fr: '/politique-confidentialite', en: '/privacy-policy' }
  const twins = Object.values(TWINS)
  const PATHS = pages.flatMap(({ indexed, path = '' }) =>
    indexed && !twins.includes(path) ? path : [],
  )

  test('the pages that the specification names have its paths', () => {
    const sectors = ['public-safety', 'francophone-services', 'health-safety', 'animal-first-aid']
    const named = ['', 'secteurs-activite', 'services', 'contact', ...sectors]
    expect(PATHS).toEqual(expect.arrayContaining(named.map((name) => `/${name}`)))
  })

  const findLinks = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<link rel="(\w+)"(?: hreflang="([\w-]+)")? href="(https:[^"]+)"/g)].map(
        ([, rel, hreflang, href]) => [hreflang ?? rel, href],
      ),
    )

  const findProperty = (html: string, name: string) =>
    new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1]

  /** Width and height in the header of a PNG. */
  async function getSize(path: string): Promise<string> {
    const { headers, body } = await get(path).responseType('blob').expect(200)
    expect(headers['content-type']).toBe('image/png')
    return `${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`
  }

  const cases = (paths: string[]) =>
    LANGUAGES.flatMap((language) => paths.map((path) => [language, path] as const))

  test.each(cases([...PATHS, ...twins]))(
    'in %s, %s names URLs, picture and firm',
    async (language, path) => {
      const html = await text(`${path}?lang=${language}`)
      const { fr, en } = twins.includes(path) ? TWINS : { fr: path, en: `${path}?lang=en` }
      const urls = { fr: ORIGIN + fr, en: ORIGIN + en }
      expect(findLinks(html)).toEqual({
        canonical: urls[language],
        ...urls,
        'x-default': urls.fr,
      })
      expect(findProperty(html, 'robots')).toBeUndefined()
      // Programs that show a link read only the start of its page.
      const start = html.slice(0, 4096)
      expect(start).toContain('</title>')
      expect(findProperty(start, 'og:url')).toBe(urls[language])
      const picture = findProperty(start, 'og:image') ?? ''
      expect(picture.startsWith(`${ORIGIN}/`)).toBe(true)
      const [width, height] = ['width', 'height'].map((side) =>
        findProperty(html, `og:image:${side}`),
      )
      expect(await getSize(picture.slice(ORIGIN.length))).toBe(`${width}x${height}`)
      const [, json = ''] = /<script type="application\/ld\+json"[^>]*>([^<]*)</.exec(html) ?? []
      expect(JSON.parse(json)).toMatchObject({
        '@id': `${ORIGIN}/#organization`,
        name: CONTENT[language].brand.name,
        alternateName: CONTENT[otherLanguage(language)].brand.name,
        url: `${ORIGIN}/`,
        // The privacy policy, the longest page, only names the firm.
        ...(twins.includes(path) ? {} : { telephone: company.phone, email: company.email }),
      })
    },
  )

  test.each(['/test-404', '/test-500', '/error-test', '/no-such-page', '/%zz'])(
    'do not index %s',
    async (path) => {
      const html = await text(path)
      expect(findProperty(html, 'robots')).toBe('noindex')
      expect(findLinks(html)).toEqual({})
    },
  )

  test('robots.txt allows all and names the sitemap, which lists the content in both languages', async () => {
    const robots = await get('/robots.txt').expect(200)
    expect(robots.headers['content-type']).toMatch(/^text\/plain/)
    expect(robots.text).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${ORIGIN}/sitemap.xml\n`)
    const sitemap = await get('/sitemap.xml').expect(200)
    expect(sitemap.headers['content-type']).toMatch(/^application\/xml/)
    const paths = [...PATHS.flatMap((path) => [path, `${path}?lang=en`]), ...twins]
    const urls = paths.map((path) => ORIGIN + path)
    expect(sitemap.text.match(/(?<=<loc>)[^<]+/g)?.sort()).toEqual(urls.sort())
  })

  test('the icons are in the manifest with their sizes', async () => {
    const manifest = JSON.parse((await get('/site.webmanifest').buffer(true)).text)
    const expected = { short_name: CONTENT.fr.brand.name, lang: 'fr', start_url: '/' }
    expect(manifest).toMatchObject(expected)
    const squares = manifest.icons.filter(({ type }: { type: string }) => type === 'image/png')
    expect(squares).not.toEqual([])
    for (const { src, sizes } of squares) expect(await getSize(src)).toBe(sizes)
    expect(await getSize('/apple-touch-icon.png')).toBe('180x180')
    expect((await get('/favicon.ico')).status).toBe(200)
  })
})

describe('every answer', () => {
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
    ['a file', 200, () => get('/icon-192.png')],
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
      'permissions-policy': expect.stringMatching(
        /^camera=\(\), microphone=\(\), geolocation=\(\)/,
      ),
      'strict-transport-security': 'max-age=63072000',
      'x-request-id': expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
    })
    expect(headers['content-security-policy']?.split(';').sort()).toEqual(POLICY)
    for (const unwanted of ['x-powered-by', 'server', 'access-control-allow-origin']) {
      expect(headers).not.toHaveProperty(unwanted)
    }
  })
})

test('https is not asked for where PUBLIC_URL does not say it', async () => {
  const plain = await openSite({ environment: { PUBLIC_URL: 'http://exemple.ca' } })
  const { headers } = await request(plain.url).get('/')
  await plain.stop()
  expect(headers).not.toHaveProperty('strict-transport-security')
})
