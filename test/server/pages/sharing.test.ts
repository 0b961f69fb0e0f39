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

test.each(cases)(
  '%s %s names the picture of its language, and the firm',
  async (language, path) => {
    const html = await load(`${path}?lang=${language}`)
    expect(findProperty(html, 'og:image')).toBe(`${ORIGIN}/share-${language}.png`)
    expect(getSize(await fetchPicture(`/share-${language}.png`))).toEqual([1200, 630])
    expect(findProperty(html, 'og:image:width')).toBe('1200')
    expect(findProperty(html, 'og:image:height')).toBe('630')
    expect(findProperty(html, 'og:image:alt')).toMatch(/^(Groupe RG|RG Group) – ./)
    expect(findProperty(html, 'twitter:card')).toBe('summary_large_image')
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
  },
)

test('the icons are in the manifest with their sizes', async () => {
  const { text } = await get('/site.webmanifest').buffer(true)
  const manifest = JSON.parse(text)
  expect(manifest).toMatchObject({ name: 'Groupe RG / RG Group', lang: 'fr-CA', start_url: '/' })
  const squares = manifest.icons.filter(({ type }: { type: string }) => type === 'image/png')
  for (const { src, sizes } of squares)
    expect(getSize(await fetchPicture(src)).join('x')).toBe(sizes)
  expect(getSize(await fetchPicture('/apple-touch-icon.png'))).toEqual([180, 180])
  const html = await load('/')
  expect(findProperty(html, 'theme-color')).toBe(manifest.theme_color)
  expect(html).toContain(`--color-dark:${manifest.theme_color};`)
  expect(html).toContain(`--color-page:${manifest.background_color};`)
})
