import { company } from '../../../shared/content/company.ts'
import { CONTENT } from '../../../shared/content/index.ts'
import { LANGUAGES, otherLanguage } from '../../../shared/language.ts'
import { get, setUpSite } from '../setup.ts'

const ORIGIN = 'https://www.exemple.ca'

setUpSite({ environment: { PUBLIC_URL: `${ORIGIN},https://exemple.ca` } })

const text = async (path: string) => (await get(path)).text
const TWINS = { fr: '/politique-confidentialite', en: '/privacy-policy' }
const PATHS = [
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

/** Width and height in the header of a PNG. */
async function getSize(path: string): Promise<string> {
  const { headers, body } = await get(path).responseType('blob').expect(200)
  expect(headers['content-type']).toBe('image/png')
  return `${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`
}

const twins = Object.values(TWINS)
const cases = (paths: string[]) =>
  LANGUAGES.flatMap((language) => paths.map((path) => [language, path] as const))

test.each(cases([...PATHS, ...twins]))(
  'in %s, %s names addresses, picture and firm',
  async (language, path) => {
    const html = await text(`${path}?lang=${language}`)
    const { fr, en } = twins.includes(path) ? TWINS : { fr: path, en: `${path}?lang=en` }
    const addresses = { fr: ORIGIN + fr, en: ORIGIN + en }
    expect(findLinks(html)).toEqual({
      canonical: addresses[language],
      ...addresses,
      'x-default': addresses.fr,
    })
    expect(findProperty(html, 'robots')).toBeUndefined()
    expect(findProperty(html, 'og:url')).toBe(addresses[language])
    const picture = findProperty(html, 'og:image') ?? ''
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

test.each(cases(['/test-404', '/test-500', '/error-test', '/no-such-page', '/%zz']))(
  'in %s, %s is not indexed',
  async (language, path) => {
    const html = await text(`${path}?lang=${language}`)
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
  const addresses = paths.map((path) => ORIGIN + path)
  expect(sitemap.text.match(/(?<=<loc>)[^<]+/g)?.sort()).toEqual(addresses.sort())
})

test('the icons are in the manifest with their sizes', async () => {
  const manifest = JSON.parse((await get('/site.webmanifest').buffer(true)).text)
  expect(manifest).toMatchObject({ short_name: CONTENT.fr.brand.name, lang: 'fr', start_url: '/' })
  const squares = manifest.icons.filter(({ type }: { type: string }) => type === 'image/png')
  expect(squares).not.toEqual([])
  for (const { src, sizes } of squares) expect(await getSize(src)).toBe(sizes)
  expect(await getSize('/apple-touch-icon.png')).toBe('180x180')
  expect((await get('/favicon.ico')).status).toBe(200)
})
