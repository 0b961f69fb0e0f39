import { company } from '../../../shared/content/company.ts'
import { CONTENT, en, fr } from '../../../shared/content/index.ts'
import { LANGUAGES, otherLanguage } from '../../../shared/language.ts'
import { read } from '../../../tools/harness/project.ts'
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
const getSize = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]
const fetchPicture = async (path: string) => {
  const { status, headers, body } = await get(path).responseType('blob')
  expect([status, headers['content-type']]).toEqual([200, 'image/png'])
  return body as Buffer
}

const twins = Object.values(TWINS)
const indexed = [...PATHS, ...twins]
const cases = (paths: string[]) =>
  LANGUAGES.flatMap((language) => paths.map((path) => [language, path] as const))

test.each(cases(indexed))('in %s, %s names addresses, picture and firm', async (language, path) => {
  const html = await text(`${path}?lang=${language}`)
  const { fr, en } = twins.includes(path) ? TWINS : { fr: path, en: `${path}?lang=en` }
  const addresses = { fr: ORIGIN + fr, en: ORIGIN + en }
  expect(findLinks(html)).toEqual({
    canonical: addresses[language],
    ...addresses,
    'x-default': addresses.fr,
  })
  expect(html).not.toContain('noindex')
  expect(findProperty(html, 'og:url')).toBe(addresses[language])
  expect(findProperty(html, 'og:image')).toBe(`${ORIGIN}/share-${language}.png`)
  expect(findProperty(html, 'og:image:width')).toBe('1200')
  expect(findProperty(html, 'og:image:height')).toBe('630')
  const { name, tagline } = CONTENT[language].brand
  expect(findProperty(html, 'og:image:alt')).toBe(`${name} – ${tagline}`.replaceAll('&', '&amp;'))
  expect(findProperty(html, 'twitter:card')).toBe('summary_large_image')
  const [, json = ''] = /<script type="application\/ld\+json"[^>]*>([^<]*)</.exec(html) ?? []
  const described = {
    telephone: expect.stringMatching(/^\+1\d{10}$/),
    email: expect.stringContaining('@'),
    address: {
      '@type': 'PostalAddress',
      addressLocality: company.address[language].city,
      addressRegion: company.address[language].province,
    },
    sameAs: Object.values(company.links).filter((link) => link.startsWith('https:')),
    logo: `${ORIGIN}/icon-512.png`,
  }
  // The privacy policy, the longest page, only names the firm.
  expect(JSON.parse(json)).toMatchObject({
    '@id': `${ORIGIN}/#organization`,
    name,
    alternateName: CONTENT[otherLanguage(language)].brand.name,
    url: `${ORIGIN}/`,
    ...(twins.includes(path) ? {} : described),
  })
})

const HIDDEN = ['/test-404', '/test-500', '/error-test', '/no-such-page', '/%zz']

test.each(cases(HIDDEN))('in %s, %s is not indexed', async (language, path) => {
  const html = await text(`${path}?lang=${language}`)
  expect(html).toContain('<meta name="robots" content="noindex"')
  expect(findLinks(html)).toEqual({})
})

test('robots.txt allows all and names the sitemap', async () => {
  const { headers, text: robots } = await get('/robots.txt').expect(200)
  expect(headers['content-type']).toMatch(/^text\/plain/)
  expect(robots).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${ORIGIN}/sitemap.xml\n`)
})

test('the sitemap lists the content in both languages, and nothing else', async () => {
  const { headers, text: sitemap } = await get('/sitemap.xml')
  expect(headers['content-type']).toMatch(/^application\/xml/)
  expect(headers['cache-control']).toBe('no-cache')
  const paths = [...PATHS.flatMap((path) => [path, `${path}?lang=en`]), ...twins]
  const addresses = paths.map((path) => ORIGIN + path)
  expect(sitemap.match(/(?<=<loc>)[^<]+/g)?.sort()).toEqual(addresses.sort())
})

test.each(LANGUAGES)('the picture of shared links has its size: %s', async (language) => {
  expect(getSize(await fetchPicture(`/share-${language}.png`))).toEqual([1200, 630])
})

test('the icons are in the manifest with their sizes', async () => {
  const answer = await get('/site.webmanifest').buffer(true)
  const manifest = JSON.parse(answer.text)
  const { name, tagline } = fr.brand
  expect(manifest).toMatchObject({
    // The firm may have one name in both languages.
    name: [...new Set([name, en.brand.name])].join(' / '),
    short_name: name,
    description: `${tagline} / ${en.brand.tagline}`,
    lang: 'fr',
    start_url: '/',
  })
  const squares = manifest.icons.filter(({ type }: { type: string }) => type === 'image/png')
  expect(squares.map(({ src }: { src: string }) => src)).toContain('/icon-512.png')
  for (const { src, sizes } of squares)
    expect(getSize(await fetchPicture(src)).join('x')).toBe(sizes)
  expect(getSize(await fetchPicture('/apple-touch-icon.png'))).toEqual([180, 180])
})

test('the icon has the mark and the colour of the page, and the browser’s bar that of the dark areas', async () => {
  const html = await text('/')
  expect(html).toMatch(/<link rel="icon" href="data:image[^" ]+"/)
  const [mark = '', path] = /<svg class="mark".*?<path d="([^"]+)".*?<\/svg>/.exec(html) ?? []
  const icon = read('client/public/icon.svg')
  const [, ...drawn] = icon.matchAll(/ d="([^"]+)"/g).map(([, each]) => each)
  expect(drawn).toEqual(mark.match(/ d="/g)?.map(() => path))
  const tokens = read('client/styles/tokens.css')
  const [, colour] = / color="(#\w+)"/.exec(icon) ?? []
  expect(tokens).toContain(`--color-accent: light-dark(${colour}, `)
  expect(tokens).toContain(`--color-dark: light-dark(${findProperty(html, 'theme-color')}, `)
})
