import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { company } from '../../../shared/content/company.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { get, setUpSite } from '../setup.ts'

const TOKENS = join(import.meta.dirname, '../../../client/styles/tokens.css')
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

const findProperty = (html: string, name: string) =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1]
const getData = (html: string) => {
  const [, json] = /<script type="application\/ld\+json"[^>]*>([^<]*)<\/script>/.exec(html) ?? []
  return json === undefined ? undefined : JSON.parse(json)
}

/** Width and height in the header of a PNG. */
const getSize = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]
const fetchPicture = async (path: string) => {
  const { status, headers, body } = await get(path).responseType('blob')
  expect([status, headers['content-type']]).toEqual([200, 'image/png'])
  return body as Buffer
}

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

  test.each([...CONTENT, ...Object.values(TWINS)])(
    '%s names the picture of its language, and the firm',
    async (path) => {
      const html = await text(`${path}?lang=${language}`)
      expect(findProperty(html, 'og:image')).toBe(`${ORIGIN}/share-${language}.png`)
      expect(getSize(await fetchPicture(`/share-${language}.png`))).toEqual([1200, 630])
      expect(findProperty(html, 'og:image:width')).toBe('1200')
      expect(findProperty(html, 'og:image:height')).toBe('630')
      expect(findProperty(html, 'og:image:alt')).toMatch(/^(Groupe RG|RG Group) – ./)
      expect(findProperty(html, 'twitter:card')).toBe('summary_large_image')
      expect(getData(html)).toMatchObject({
        '@id': `${ORIGIN}/#organization`,
        name: language === 'fr' ? 'Groupe RG' : 'RG Group',
      })
    },
  )

  // The privacy policy, the longest page, only names the firm.
  test.each(CONTENT)('%s describes the firm', async (path) => {
    const firm = getData(await text(`${path}?lang=${language}`))
    expect(firm).toMatchObject({
      telephone: expect.stringMatching(/^\+1\d{10}$/),
      email: expect.stringContaining('@'),
      address: {
        '@type': 'PostalAddress',
        addressLocality: company.address[language].city,
        addressRegion: 'Ontario',
      },
    })
    expect(firm.sameAs).toHaveLength(4)
    await fetchPicture(firm.logo.slice(ORIGIN.length))
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
  const { headers, text: robots } = await get('/robots.txt').expect(200)
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

test('the icons are in the manifest with their sizes', async () => {
  const answer = await get('/site.webmanifest').buffer(true)
  const manifest = JSON.parse(answer.text)
  expect(manifest).toMatchObject({ name: 'Groupe RG / RG Group', lang: 'fr-CA', start_url: '/' })
  const squares = manifest.icons.filter(({ type }: { type: string }) => type === 'image/png')
  for (const { src, sizes } of squares)
    expect(getSize(await fetchPicture(src)).join('x')).toBe(sizes)
  expect(getSize(await fetchPicture('/apple-touch-icon.png'))).toEqual([180, 180])
  const html = await text('/')
  expect(findProperty(html, 'theme-color')).toBe(manifest.theme_color)
  const tokens = readFileSync(TOKENS, 'utf8')
  expect(tokens).toContain(`--color-dark: ${manifest.theme_color};`)
  expect(tokens).toContain(`--color-page: ${manifest.background_color};`)
})
