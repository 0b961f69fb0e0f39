import { SECTORS } from '../../../shared/constants.ts'
import { company } from '../../../shared/content/company.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { getPage, pages } from '../../../shared/pages.ts'
import { get, setUpSite } from '../setup.ts'

const ORIGIN = 'https://www.exemple.ca'

setUpSite({ environment: { PUBLIC_URL: ORIGIN } })

const CONTENT = pages.flatMap(({ indexed, path }) => (indexed && path ? [path] : []))
const cases = LANGUAGES.flatMap((language) => CONTENT.map((path) => [language, path] as const))

const load = async (path: string) => (await get(path)).text
const findProperty = (html: string, name: string) =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1]
const getData = (html: string) => {
  const [, json] = /<script type="application\/ld\+json"[^>]*>([^<]*)<\/script>/.exec(html) ?? []
  return json === undefined ? undefined : JSON.parse(json)['@graph']
}

/** Width and height in the header of a PNG. */
const getSize = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]
const fetchPicture = async (path: string) => {
  const { status, headers, body } = await get(path).responseType('blob')
  expect([status, headers['content-type']]).toEqual([200, 'image/png'])
  return body as Buffer
}

describe('the picture of a shared link', () => {
  test.each(cases)('%s %s has its own picture', async (language, path) => {
    const html = await load(`${path}?lang=${language}`)
    const address = findProperty(html, 'og:image') ?? ''
    expect(address.startsWith(`${ORIGIN}/share/`)).toBe(true)
    const png = await fetchPicture(address.slice(ORIGIN.length))
    expect(getSize(png)).toEqual([1200, 630])
    expect(png.length).toBeLessThan(100_000)
    expect(findProperty(html, 'og:image:width')).toBe('1200')
    expect(findProperty(html, 'og:image:height')).toBe('630')
    expect(findProperty(html, 'og:image:alt')).toMatch(/ – (Groupe RG|RG Group)$/)
    expect(findProperty(html, 'twitter:card')).toBe('summary_large_image')
  })

  test('is another for each page and language', async () => {
    const documents = await Promise.all(cases.map(([lang, path]) => load(`${path}?lang=${lang}`)))
    const addresses = documents.map((html) => findProperty(html, 'og:image'))
    expect(new Set(addresses).size).toBe(cases.length)
  })
})

describe('structured data', () => {
  test.each(cases)(
    '%s %s names the firm, and the service that it is about',
    async (language, path) => {
      const html = await load(`${path}?lang=${language}`)
      const [firm, ...rest] = getData(html)
      expect(firm).toMatchObject({
        '@id': `${ORIGIN}/#organization`,
        name: language === 'fr' ? 'Groupe RG' : 'RG Group',
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
      const services = rest.map((node: Record<string, unknown>) => [node['@type'], node.provider])
      const isSector = SECTORS.some((sector) => getPage(sector).path === path)
      expect(services).toEqual(isSector ? [['Service', { '@id': firm['@id'] }]] : [])
    },
  )
})

test.each(['/test-404', '/test-500', '/error-test', '/no-such-page', '/%zz'])(
  '%s has neither picture nor structured data',
  async (path) => {
    const html = await load(path)
    expect(html).not.toContain('og:image')
    expect(html).not.toContain('ld+json')
  },
)

describe('icons', () => {
  const TYPES = {
    '/favicon.ico': 'image/x-icon',
    '/apple-touch-icon.png': 'image/png',
    '/site.webmanifest': 'application/manifest+json; charset=utf-8',
  }

  test.each(Object.entries(TYPES))('%s is named by every page', async (path, type) => {
    expect(await load('/test-404')).toContain(`href="${path}"`)
    const { status, headers } = await get(path)
    expect([status, headers['content-type']]).toEqual([200, type])
  })

  test('are in the manifest with their sizes', async () => {
    const { text } = await get('/site.webmanifest').buffer(true)
    const manifest = JSON.parse(text)
    expect(manifest).toMatchObject({ name: 'Groupe RG / RG Group', lang: 'fr-CA', start_url: '/' })
    const squares = manifest.icons.filter(({ type }: { type: string }) => type === 'image/png')
    for (const { src, sizes } of squares)
      expect(getSize(await fetchPicture(src)).join('x')).toBe(sizes)
    expect(getSize(await fetchPicture('/apple-touch-icon.png'))).toEqual([180, 180])
  })
})
