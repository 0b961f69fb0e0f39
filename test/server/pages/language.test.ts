import { writeCookie } from '../../../shared/format.ts'
import { get as load, restartSite, setUpSite } from '../setup.ts'

setUpSite()

const get = (path: string, cookie?: string, headers: object = {}) =>
  load(path, { ...(cookie !== undefined && { Cookie: `rg-language=${cookie}` }), ...headers })
const getLanguage = (html: string) => /<html lang="([^"]*)"/.exec(html)?.[1]
const getCookies = (headers: Record<string, unknown>) => (headers['set-cookie'] ?? []) as string[]

const PRIVACY = { fr: '/politique-confidentialite', en: '/privacy-policy' }

test.each([
  ['/', undefined, 'fr'],
  ['/?lang=en', undefined, 'en'],
  ['/?lang=fr', 'en', 'fr'],
  ['/', 'en', 'en'],
  ['/services?x=1&lang=en', 'fr', 'en'],
  [PRIVACY.en, undefined, 'en'],
  [PRIVACY.fr, undefined, 'fr'],
  [PRIVACY.en, 'fr', 'fr'],
  [PRIVACY.fr, 'en', 'en'],
  [`${PRIVACY.en}?lang=fr`, 'en', 'fr'],
  ['/no-such-page', 'en', 'en'],
  ['/test-500?lang=en', undefined, 'en'],
  ['/%zz', 'en', 'en'],
  // Broken cookies may not throw, or hide the language.
  ['/', '%; ab=%; rg-language=en', 'en'],
])('%s with the cookie %.20s is in %s', async (path, cookie, language) => {
  const { text, headers } = await get(path, cookie)
  expect(getLanguage(text)).toBe(language)
  // Only a choice is stored.
  const isChosen = path.includes('lang=') || cookie !== undefined
  expect(getCookies(headers)).toEqual(isChosen ? [writeCookie('rg-language', language, false)] : [])
})

test.each(['EN', '', '__proto__', '%00', 'en&lang=fr'])(
  'anything else is ignored, and not stored: %j',
  async (value) => {
    const encoded = encodeURIComponent(value)
    const asked = await get(`/?lang=${encoded}`)
    expect([getLanguage(asked.text), getCookies(asked.headers)]).toEqual(['fr', []])
    expect(getLanguage((await get(`/?lang=${encoded}`, 'en')).text)).toBe('en')
    const stored = await get('/', encoded)
    expect([getLanguage(stored.text), getCookies(stored.headers)]).toEqual(['fr', []])
  },
)

test('Accept-Language does not choose the language of a page, a repeated lang neither', async () => {
  const { text } = await get('/', undefined, { 'Accept-Language': 'en' })
  expect(getLanguage(text)).toBe('fr')
  expect(getLanguage((await get('/?lang=en&lang=en')).text)).toBe('fr')
})

test.each(['/livez', '/robots.txt', '/icon.svg'])('%s stores nothing', async (path) => {
  expect(getCookies((await get(path, 'en')).headers)).toEqual([])
})

test('both choices are renewed with each page, 304 too, for a year', async () => {
  const choices = { Cookie: 'rg-language=en; cookie-consent=necessary-only' }
  const { headers } = await load('/', choices)
  const expected = [
    `rg-language=en; Max-Age=${365 * 24 * 60 * 60}; Path=/; SameSite=Lax`,
    writeCookie('cookie-consent', 'necessary-only', false),
  ]
  expect(getCookies(headers)).toEqual(expected)
  const again = await load('/', { ...choices, 'If-None-Match': headers.etag }).expect(304)
  expect(getCookies(again.headers)).toEqual(expected)
  const other = await load('/', { Cookie: 'cookie-consent=everything' })
  expect(getCookies(other.headers)).toEqual([])
})

test('the cookie is Secure when the site is served over https', async () => {
  await restartSite({ environment: { PUBLIC_URL: 'https://www.exemple.ca' } })
  const { headers } = await get('/?lang=en')
  expect(getCookies(headers)).toEqual([writeCookie('rg-language', 'en', true)])
  expect(writeCookie('rg-language', 'en', true)).toMatch(/; Secure$/)
})
