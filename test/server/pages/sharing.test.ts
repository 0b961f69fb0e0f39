import { company } from '../../../shared/content/company.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
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
  return json === undefined ? undefined : JSON.parse(json)
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
  test.each(cases)('%s %s names the firm', async (language, path) => {
    const html = await load(`${path}?lang=${language}`)
    const firm = getData(html)
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
