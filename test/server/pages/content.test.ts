import { createHash } from 'node:crypto'
import { HtmlValidate } from 'html-validate'
import { MAX_CONTACT_WINDOW_MINUTES } from '../../../shared/contact-limit.ts'
import { company } from '../../../shared/content/company.ts'
import { CONTENT, type Content } from '../../../shared/content/index.ts'
import { listTexts } from '../../../shared/content/list-texts.ts'
import { fill, fillPlural, getCompanyValues, writeCookie } from '../../../shared/format.ts'
import { LANGUAGES, type Language, otherLanguage } from '../../../shared/language.ts'
import { getPath, pages } from '../../../shared/pages.ts'
import { REPEAT_HOURS } from '../../../shared/retention.ts'
import { SECTORS, type Sector, type ServiceId } from '../../../shared/sectors.ts'
import { listWords } from '../../../tools/content/check-content.ts'
import { FORM_STATES, openFormState } from '../../support/form-states.ts'
import { findForeign, getWords } from '../../support/languages.ts'
import { get, restartSite, setUpSite, site } from '../setup.ts'

setUpSite()

/** The choice of each sector in the form. */
const SERVICES: Record<Sector, ServiceId> = {
  'public-safety': 'public-safety',
  'francophone-services': 'francophone',
  'health-safety': 'health-safety',
  'animal-first-aid': 'animal-aid',
}

describe.each(LANGUAGES)('in %s', (language) => {
  const content = CONTENT[language]
  const { divisions, services, hero, headlines, contact, footer, errors, privacy } = content

  async function open(path: string): Promise<string> {
    return getWords((await get(path).set('Cookie', `rg-language=${language}`)).text)
  }

  /** Expects these texts, and links to these addresses, on a page. */
  async function expectOn(path: string, texts: unknown, links: string[] = []): Promise<void> {
    const html = await open(path)
    const missing = listTexts(texts).filter(([, text]) => !html.includes(text))
    expect({ path, missing }).toEqual({ path, missing: [] })
    expect(links.filter((link) => !html.includes(`href="${link}"`))).toEqual([])
  }

  const cards = SECTORS.map((sector) => divisions.items[sector])
  const sectorPaths = SECTORS.map(getPath)

  const { phone, email } = getCompanyValues(company, language)
  const lines = [`tel:${company.phone}`, `mailto:${email}`]

  test('the home page has headline, introduction and a card for each sector', async () => {
    const titles = cards.map(({ title }) => title)
    await expectOn('/', [headlines.home, hero.intro, ...titles], sectorPaths)
  })

  test('the menu has the telephone; the contact part of the home page also e-mail and hours', async () => {
    const html = await open('/')
    expect(html.split('</nav>')[0]).toContain(`href="tel:${company.phone}"`)
    const [, part = ''] = html.split('id="contact"')
    const [band = ''] = part.split('</section>')
    const missing = [
      phone,
      email,
      contact.facts.hoursValue,
      ...lines.map((line) => `href="${line}"`),
    ]
    expect(missing.filter((text) => !band.includes(text))).toEqual([])
  })

  test('the sectors have title, subtitle, description and tags', async () => {
    const texts = cards.map(({ title, subtitle, description, tags }) => [
      title,
      subtitle,
      description,
      tags,
    ])
    await expectOn('/secteurs-activite', texts, sectorPaths)
  })

  test('the services have their features, and a button leads to the contact part of the home page', async () => {
    const { items, callToAction } = services
    const texts = items.map(({ title, description, features }) => [title, description, features])
    await expectOn('/services', [texts, callToAction.action], ['/#contact'])
  })

  test.each(SECTORS)('the page of %s has its offerings', async (sector) => {
    const { offerings, reasons } = divisions.items[sector]
    await expectOn(getPath(sector), [offerings, headlines[sector], reasons])
  })

  test.each(['home', ...SECTORS] as const)(
    'the panel of %s has a button for the other language, with the headline in that language',
    async (page) => {
      const other = otherLanguage(language)
      const html = await open(getPath(page))
      const [, plate] = /<button[^>]* class="plate"[^>]*>(.*?)<\/button>/.exec(html) ?? []
      expect(plate).toContain(CONTENT[other].headlines[page])
      expect(html).toMatch(new RegExp(`<button[^>]* lang="${other}"[^>]* class="plate"`))
    },
  )

  test.each(SECTORS)('%s leads to the form twice and chooses its service there', async (sector) => {
    const service = SERVICES[sector]
    const address = `/contact?service=${service}`
    expect((await open(getPath(sector))).split(`href="${address}"`)).toHaveLength(3)
    const html = await open(address)
    expect(html).toMatch(new RegExp(`<option value="${service}" selected=""`))
    // The button of the other language keeps it.
    expect(html).toMatch(new RegExp(`<input type="hidden" name="service" value="${service}"`))
    expect(await open(`${address}-x`)).not.toMatch(/<option value="[^"]+" selected/)
  })

  test('the contact page has address, telephone, e-mail, hours and the form', async () => {
    const { street } = company.address[language]
    const texts = [street, phone, email, contact.facts.hoursValue, contact.form.submit]
    await expectOn('/contact', texts, ['#request', ...lines])
  })

  test('the policy has its sections and its date', async () => {
    const titles = privacy.sections.map(({ title }) => title)
    await expectOn(`/privacy-policy?lang=${language}`, [privacy.updated, titles])
  })

  test('the error pages lead home and to the form, that of the server to the page again', async () => {
    const { notFound, serverError, test } = errors
    await expectOn('/test-404', [notFound.headline, notFound.home], ['/', '/contact'])
    const texts = [serverError.headline, serverError.intro, serverError.reload]
    await expectOn('/test-500', texts, ['', '/', '/contact'])
    await expectOn('/error-test', [test.missing, test.failing, test.throwing])
  })

  test('the footer leads to the form and to the firm’s other sites, and has its registration numbers', async () => {
    const { links, registrations } = company
    const others = Object.values(links).filter(Boolean)
    const numbers = listTexts(registrations).map(([, number]) => number)
    await expectOn('/', [footer.contact, numbers], ['/contact', ...others])
  })
})

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // React writes `<br/>`, `required=""` and `autoComplete`; the standard allows all three.
    'void-style': 'off',
    'attribute-boolean-style': 'off',
    'attr-case': 'off',
    // Biome formats `<!doctype html>` in lower case.
    'doctype-style': 'off',
    // The rule asks for U+2011, which the fonts lack. CSS keeps each number on one line.
    'tel-non-breaking': 'off',
    // The rule counts `&amp;` as five characters. The check of the content limits titles.
    'long-title': 'off',
  },
})

const addresses = [
  ...pages.flatMap(({ path, status }) => (path ? [{ path, status }] : [])),
  { path: '/no-such-page', status: 404 },
  { path: '/%zz', status: 400 },
]

async function checkTexts(html: string, language: Language): Promise<void> {
  expect(findForeign(getWords(html), language)).toEqual([])
  // Both languages have the same elements.
  if (language === 'en') return
  const { results } = await validator.validateString(html)
  const faults = results.flatMap(({ messages }) => messages)
  expect(faults.map(({ ruleId, message, selector }) => ({ ruleId, message, selector }))).toEqual([])
}

const getHash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe.each(LANGUAGES)('every page in %s', (language) => {
  const load = (path: string) => get(`${path}?lang=${language}`)

  test.each(addresses)('$path is $status, valid, and of one language', async ({ path, status }) => {
    const { text, headers } = await load(path).expect(status)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(/<html lang="(\w+)"/.exec(text)?.[1]).toBe(language)
    expect(text.match(/<h1/g)).toHaveLength(1)
    // Otherwise an iPhone makes links of the registration numbers.
    expect(text.match(/<meta name="format-detection" content="telephone=no"/g)).toHaveLength(1)
    expect(text.match(/<meta name="description" content="[^"]{50,}"/g)).toHaveLength(1)
    await checkTexts(text, language)
    // The policy allows no script and no style in the document but the hashed styles.
    const scripts = [...text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)
    for (const script of scripts)
      expect(script).toMatch(/ src="\/assets\/|type="application\/(?:ld\+)?json"/)
    expect(text.match(/ style="| on\w+="/g)).toBeNull()
    const styles = [...text.matchAll(/<style[^>]*>(.*?)<\/style>/gs)]
    for (const [, style] of styles)
      expect(headers['content-security-policy']).toContain(getHash(style))
  })

  test('has its own title', async () => {
    const own = addresses.filter(({ path, status }) => status === 200 && path !== '/privacy-policy')
    const titles = await Promise.all(
      own.map(async ({ path }) => /<title>([^<]+)</.exec((await load(path)).text)?.[1]),
    )
    expect(new Set(titles).size).toBe(own.length)
  })

  test('links to pages and to parts of a page lead to them', async () => {
    const texts = new Map<string, string>()
    const links: string[] = []
    for (const { path } of addresses) {
      const { text } = await load(path)
      texts.set(path, text)
      for (const [, page, id] of text.matchAll(/<a [^>]*href="(\/?[^"?#:]*)[^"#:]*#?([^":]*)"/g))
        links.push(`${page || path}#${id}`)
    }
    expect(links).toContain('/public-safety#')
    const missing = [...new Set(links)].filter((link) => {
      const [page = '', id] = link.split('#')
      const text = texts.get(page)
      return !text || (id && !text.includes(` id="${id}"`))
    })
    expect(missing).toEqual([])
  })

  test.each(FORM_STATES)('a form with %s is valid and in one language', async (state) => {
    await checkTexts(await openFormState(site, language, state), language)
  })
})

type Count = [unit: keyof Content['privacy']['periods'], count: number]

const PATHS = { fr: '/politique-confidentialite', en: '/privacy-policy' }

test.each<[Record<string, string>, Count, Count]>([
  [{}, ['years', 2], ['days', 30]],
  [{ RETENTION_DAYS: '1000', QUARANTINE_DAYS: '1' }, ['days', 1000], ['days', 1]],
])('with %j the policy gives %j and %j', async (environment, retention, quarantine) => {
  await restartSite({ environment })
  const counts: Record<string, Count> = {
    retention,
    quarantine,
    repetition: ['hours', REPEAT_HOURS],
  }
  for (const language of LANGUAGES) {
    const { periods, summary, sections } = CONTENT[language].privacy
    const values = Object.fromEntries(
      Object.entries(counts).map(([word, [unit, count]]) => [
        word,
        fillPlural(periods[unit], count, language),
      ]),
    )
    const hasPeriods = (text: string) =>
      listWords(text).length > 0 && listWords(text).every((word) => word.slice(1, -1) in values)
    const texts = listTexts({ summary, sections }).map(([, text]) => text)
    const { text } = await get(PATHS[language])
    const page = getWords(text.replace(/<[^>]+>/g, ''))
    for (const given of texts.filter(hasPeriods)) expect(page).toContain(fill(given, values))
  }
})

test('no window of the message limit outlives the period of addresses', () => {
  expect(MAX_CONTACT_WINDOW_MINUTES).toBeLessThanOrEqual(REPEAT_HOURS * 60)
})

const ask = (path: string, cookie?: string, headers: object = {}) =>
  get(path, { ...(cookie !== undefined && { Cookie: `rg-language=${cookie}` }), ...headers })
const getLanguage = (html: string) => /<html lang="([^"]*)"/.exec(html)?.[1]
const getCookies = (headers: Record<string, unknown>) => (headers['set-cookie'] ?? []) as string[]

test.each([
  ['/', undefined, 'fr'],
  ['/?lang=en', undefined, 'en'],
  ['/?lang=fr', 'en', 'fr'],
  ['/', 'en', 'en'],
  ['/services?x=1&lang=en', 'fr', 'en'],
  [PATHS.en, undefined, 'en'],
  [PATHS.fr, undefined, 'fr'],
  [PATHS.en, 'fr', 'fr'],
  [PATHS.fr, 'en', 'en'],
  [`${PATHS.en}?lang=fr`, 'en', 'fr'],
  ['/no-such-page', 'en', 'en'],
  ['/test-500?lang=en', undefined, 'en'],
  ['/%zz', 'en', 'en'],
  // A broken cookie may not throw.
  ['/', '"en"; ab=%', 'en'],
])('%s with the cookie %.20s is in %s', async (path, cookie, language) => {
  const { text, headers } = await ask(path, cookie)
  expect(getLanguage(text)).toBe(language)
  // Only a choice is stored.
  const isChosen = path.includes('lang=') || cookie !== undefined
  expect(getCookies(headers)).toEqual(isChosen ? [writeCookie('rg-language', language, false)] : [])
})

test.each(['EN', '', '__proto__', '%00', 'en&lang=fr'])(
  'anything else is ignored, and not stored: %j',
  async (value) => {
    const encoded = encodeURIComponent(value)
    const asked = await ask(`/?lang=${encoded}`)
    expect([getLanguage(asked.text), getCookies(asked.headers)]).toEqual(['fr', []])
    expect(getLanguage((await ask(`/?lang=${encoded}`, 'en')).text)).toBe('en')
    const stored = await ask('/', encoded)
    expect([getLanguage(stored.text), getCookies(stored.headers)]).toEqual(['fr', []])
  },
)

test('Accept-Language does not choose the language of a page, a repeated lang neither', async () => {
  const { text } = await ask('/', undefined, { 'Accept-Language': 'en' })
  expect(getLanguage(text)).toBe('fr')
  expect(getLanguage((await ask('/?lang=en&lang=en')).text)).toBe('fr')
})

test.each(['/livez', '/robots.txt', '/icon.svg'])('%s stores nothing', async (path) => {
  expect(getCookies((await ask(path, 'en')).headers)).toEqual([])
})

test('both choices are renewed with each page, 304 too, for a year, unless the browser only fetches it ahead', async () => {
  const choices = { Cookie: 'rg-language=en; cookie-consent=necessary-only' }
  const { headers } = await get('/', choices)
  const expected = [
    `rg-language=en; Max-Age=${365 * 24 * 60 * 60}; Path=/; SameSite=Lax`,
    writeCookie('cookie-consent', 'necessary-only', false),
  ]
  expect(getCookies(headers)).toEqual(expected)
  const again = await get('/', { ...choices, 'If-None-Match': headers.etag }).expect(304)
  expect(getCookies(again.headers)).toEqual(expected)
  const other = await get('/', { Cookie: 'cookie-consent=everything' })
  expect(getCookies(other.headers)).toEqual([])
  const prefetched = await get('/?lang=en', { 'Sec-Purpose': 'prefetch;prerender' })
  expect(getCookies(prefetched.headers)).toEqual([])
})

test('both cookies are Secure when the site is served over https', async () => {
  await restartSite({ environment: { PUBLIC_URL: 'https://www.exemple.ca' } })
  const { headers } = await get('/?lang=en', { Cookie: 'cookie-consent=accepted' })
  expect(getCookies(headers)).toEqual([
    writeCookie('rg-language', 'en', true),
    writeCookie('cookie-consent', 'accepted', true),
  ])
  expect(writeCookie('rg-language', 'en', true)).toMatch(/; Secure$/)
})
