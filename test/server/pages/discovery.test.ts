import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { get, setUpSite } from '../setup.ts'

const ORIGIN = 'https://www.exemple.ca'

setUpSite({ environment: { PUBLIC_URL: `${ORIGIN},https://exemple.ca` } })

const text = async (path: string) => (await get(path)).text
const TWINS = { fr: '/politique-confidentialite', en: '/privacy-policy' }
const CONTENT = [
  '/',
  '/secteurs-activite',
  '/services',
  '/contact',
  '/public-safety',
  '/francophone-services',
  '/health-safety',
  '/animal-first-aid',
]

const findLinks = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<link rel="(\w+)"(?: hreflang="([\w-]+)")? href="(https:[^"]+)"/g)].map(
      ([, rel, hreflang, href]) => [hreflang ?? rel, href],
    ),
  )

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(CONTENT)('%s names its canonical address and its alternates', async (path) => {
    const html = await text(`${path}?lang=${language}`)
    const addresses = { fr: ORIGIN + path, en: `${ORIGIN}${path}?lang=en` }
    expect(findLinks(html)).toEqual({
      canonical: addresses[language],
      ...addresses,
      'x-default': addresses.fr,
    })
    expect(html).not.toContain('noindex')
    expect(html).toContain(`property="og:url" content="${addresses[language]}"`)
  })

  test.each(Object.values(TWINS))('%s is one of two twins', async (path) => {
    const html = await text(`${path}?lang=${language}`)
    expect(findLinks(html)).toEqual({
      canonical: ORIGIN + TWINS[language],
      fr: ORIGIN + TWINS.fr,
      en: ORIGIN + TWINS.en,
      'x-default': ORIGIN + TWINS.fr,
    })
  })

  test.each(['/test-404', '/test-500', '/error-test', '/no-such-page', '/%zz'])(
    '%s is not indexed',
    async (path) => {
      const html = await text(`${path}?lang=${language}`)
      expect(html).toContain('<meta name="robots" content="noindex"')
      expect(findLinks(html)).toEqual({})
    },
  )
})

test('robots.txt allows all and names the sitemap', async () => {
  const { status, headers, text: robots } = await get('/robots.txt')
  expect(status).toBe(200)
  expect(headers['content-type']).toMatch(/^text\/plain/)
  expect(robots).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${ORIGIN}/sitemap.xml\n`)
})

describe('the sitemap', () => {
  const locations = async () =>
    [...(await text('/sitemap.xml')).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc]) => loc ?? '')

  test('lists the content in both languages, and nothing else', async () => {
    const expected = [
      ...CONTENT.flatMap((path) => [ORIGIN + path, `${ORIGIN}${path}?lang=en`]),
      ORIGIN + TWINS.fr,
      ORIGIN + TWINS.en,
    ]
    expect((await locations()).sort()).toEqual(expected.sort())
  })

  test('lists only canonical addresses of existing pages', async () => {
    for (const location of await locations()) {
      const { status, text: html } = await get(location.slice(ORIGIN.length))
      expect(status).toBe(200)
      expect(findLinks(html).canonical).toBe(location)
    }
  })

  test('is XML that caches must revalidate', async () => {
    const { headers } = await get('/sitemap.xml')
    expect(headers['content-type']).toMatch(/^application\/xml/)
    expect(headers['cache-control']).toBe('no-cache')
  })
})

test('the ten content pages are those of the route table', () => {
  const indexed = pages.flatMap(({ indexed, path }) => (indexed && path ? [path] : []))
  expect(indexed.sort()).toEqual([...CONTENT, ...Object.values(TWINS)].sort())
})
