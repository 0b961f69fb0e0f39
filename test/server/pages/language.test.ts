import { get as load, restartSite, setUpSite } from '../setup.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

setUpSite()

const get = (path: string, cookie?: string, headers: object = {}) =>
  load(path, { ...(cookie !== undefined && { Cookie: `rg-language=${cookie}` }), ...headers })
const getLanguage = (html: string) => /<html lang="(\w\w)-CA"/.exec(html)?.[1]
const getCookies = (headers: Record<string, unknown>) => (headers['set-cookie'] ?? []) as string[]

const PRIVACY = { fr: '/politique-confidentialite', en: '/privacy-policy' }

test.each([
  ['/', undefined, 'fr'],
  ['/?lang=en', undefined, 'en'],
  ['/?lang=fr', 'en', 'fr'],
  ['/?lang=en', 'fr', 'en'],
  ['/', 'en', 'en'],
  ['/services?x=1&lang=en', undefined, 'en'],
  [PRIVACY.en, undefined, 'en'],
  [PRIVACY.fr, undefined, 'fr'],
  [PRIVACY.en, 'fr', 'fr'],
  [PRIVACY.fr, 'en', 'en'],
  [`${PRIVACY.en}?lang=fr`, 'en', 'fr'],
  [`${PRIVACY.fr}?lang=en`, 'fr', 'en'],
  ['/no-such-page', 'en', 'en'],
  ['/test-500?lang=en', undefined, 'en'],
  ['/%zz', 'en', 'en'],
  ['/%zz?lang=en', undefined, 'en'],
])('%s with the cookie %s is in %s', async (path, cookie, language) => {
  expect(getLanguage((await get(path, cookie)).text)).toBe(language)
})

test.each(['EN', 'de', '', 'en-CA', 'en ', '__proto__', '%00', 'j:"en"', 'en&lang=fr', '1'])(
  'anything else is ignored: %j',
  async (value) => {
    const encoded = encodeURIComponent(value)
    expect(getLanguage((await get(`/?lang=${encoded}`)).text)).toBe('fr')
    expect(getLanguage((await get(`/?lang=${encoded}`, 'en')).text)).toBe('en')
    const { headers, text } = await get('/', encoded)
    expect(getLanguage(text)).toBe(value === 'j:"en"' ? 'en' : 'fr')
    expect(getCookies((await get(`/?lang=${encoded}`)).headers)).toEqual([])
    if (value !== 'j:"en"') expect(getCookies(headers)).toEqual([])
  },
)

test('a repeated lang is ignored', async () => {
  expect(getLanguage((await get('/?lang=en&lang=en')).text)).toBe('fr')
  expect(getLanguage((await get('/?lang[]=en')).text)).toBe('fr')
})

test('Accept-Language does not choose the language of a page', async () => {
  const { text } = await get('/', undefined, { 'Accept-Language': 'en' })
  expect(getLanguage(text)).toBe('fr')
})

describe('the cookie', () => {
  const pattern = (language: string, rest = '') =>
    new RegExp(`^rg-language=${language}; Max-Age=${YEAR_SECONDS}; Path=/; SameSite=Lax${rest}$`)

  test.each([
    ['/?lang=en', undefined, 'en'],
    ['/?lang=fr', 'en', 'fr'],
    ['/no-such-page?lang=en', undefined, 'en'],
    ['/services', 'en', 'en'],
    ['/services', 'fr', 'fr'],
  ])('remembers the choice: %s with %s', async (path, cookie, language) => {
    const cookies = getCookies((await get(path, cookie)).headers)
    expect(cookies).toEqual([expect.stringMatching(pattern(language))])
  })

  test.each(['/', PRIVACY.en, '/livez', '/robots.txt'])(
    'is not set without one: %s',
    async (path) => {
      expect(getCookies((await get(path)).headers)).toEqual([])
    },
  )

  test('is renewed with an answer 304 too', async () => {
    const { headers } = await get('/', 'en')
    const again = await get('/', 'en', { 'If-None-Match': headers.etag }).expect(304)
    expect(getCookies(again.headers)).toEqual([expect.stringMatching(pattern('en'))])
  })

  test('is Secure when the site is served over https', async () => {
    await restartSite({ environment: { PUBLIC_URL: 'https://www.exemple.ca' } })
    const { headers } = await get('/?lang=en')
    expect(getCookies(headers)).toEqual([expect.stringMatching(pattern('en', '; Secure'))])
  })
})
