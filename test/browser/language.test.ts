import { CONTENT, fr } from '../../shared/content/index.ts'
import { type Language, LOCALES } from '../../shared/language.ts'
import { open, skipSplash } from '../../tools/harness/browser.ts'
import { browser, context, noise, page, setUpVisits, site, visit } from '../support/visits.ts'
import {
  banner,
  fillForm,
  follow,
  getLanguage,
  holdBack,
  readForm,
  removeChunk,
  STILL,
  stopClock,
  submit,
  TYPED,
  takeReports,
  toast,
  toggle,
  toggleTo,
  waitForLanguage,
} from './steps.ts'

setUpVisits()
beforeEach(() => visit(STILL))
/** Some tests remove files, and the browser logs each file that it could not load. */
const LOAD_FAILED = /^Failed to load resource: .*(?:404|ERR_INTERNET_DISCONNECTED)/
afterEach(async () => {
  expect(noise.filter((line) => !LOAD_FAILED.test(line))).toEqual([])
  expect(takeReports()).toEqual([])
})

const stored = () =>
  page.evaluate(() => [
    localStorage.getItem('rg-language'),
    document.cookie.match(/rg-language=(\w+)/)?.[1],
  ])

test.each([
  { cookie: 'fr', storage: 'en', result: 'en' },
  { cookie: 'en', storage: 'fr', result: 'fr' },
  { cookie: 'en', storage: 'de', result: 'en' },
  { cookie: 'de', storage: 'de', result: 'fr' },
] as const)('cookie $cookie, storage $storage: $result', async ({ cookie, storage, result }) => {
  await context.addCookies([{ name: 'rg-language', value: cookie, url: site.url }])
  await context.addInitScript((value) => {
    if (!sessionStorage.getItem('set')) localStorage.setItem('rg-language', value)
    sessionStorage.setItem('set', 'once')
  }, storage)
  await open(page, `${site.url}/services`)
  await waitForLanguage(result)
  expect(await stored()).toEqual([result, result])
  expect(await page.locator('nav.nav').textContent()).toContain(CONTENT[result].nav.home)
  expect(await page.title()).toContain(CONTENT[result].services.meta.title)
})

test('offline, a page says that it keeps its language, and its address, until the next try', async () => {
  await open(page, `${site.url}/politique-confidentialite`)
  await context.setOffline(true)
  const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD')
  await toggle().click()
  await failed
  const { title, description } = fr.nav.languageFailed
  await toast()
    .filter({ hasText: `${title} ${description}` })
    .waitFor()
  expect(await getLanguage()).toBe('fr-CA')
  expect(page.url()).toBe(`${site.url}/politique-confidentialite`)
  expect(await stored()).toEqual(['fr', 'fr'])
  await toast().getByRole('button').click()
  await toast().waitFor({ state: 'detached' })
  await context.setOffline(false)
  await toggleTo('en')
})

test('going back to an address with a language keeps the newer choice', async () => {
  await open(page, `${site.url}/services?lang=en`)
  await follow('/secteurs-activite')
  await toggleTo('fr')
  await page.goBack()
  await page.waitForURL('**/services')
  expect(await getLanguage()).toBe('fr-CA')
  expect(await stored()).toEqual(['fr', 'fr'])
})

const turn = () => toggle().click()
const leave = () => follow('/services')
test.each([
  ['/', 'just before', '**/assets/services*.js', leave, turn],
  ['/privacy-policy', 'before the texts have come', '**/assets/*.fr-*.js', turn, leave],
])('%s?lang=en: the toggle keeps a link that is followed %s', async (path, _, files, ...steps) => {
  const release = await holdBack(files)
  await open(page, `${site.url}${path}?lang=en`)
  expect(await stored()).toEqual(['en', 'en'])
  for (const step of steps) await step()
  release()
  await waitForLanguage('fr')
  await page.locator('.service-card').first().waitFor()
  expect(page.url()).toBe(`${site.url}/services`)
})

test('a repeated lang parameter is ignored, as on the server', async () => {
  await open(page, `${site.url}/services?lang=en&lang=fr`)
  await page.waitForLoadState('networkidle')
  expect(await getLanguage()).toBe('fr-CA')
})

test('the toggle switches, keeps focus and scroll position, and removes the language from the address', async () => {
  await open(page, `${site.url}/contact?lang=fr`)
  await toggle().focus()
  await page.evaluate(() => window.scrollTo(0, 200))
  await page.keyboard.press('Enter')
  await waitForLanguage('en')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('value'))).toBe('fr')
  expect(await page.evaluate(() => window.scrollY)).toBe(200)
  expect(await page.title()).toContain(CONTENT.en.brand.name)
  expect(await stored()).toEqual(['en', 'en'])
  expect(page.url()).toBe(`${site.url}/contact`)
})

test('each language has its side; on a phone the words stand between the panel and the plate', async () => {
  const plate = () => page.locator('.plate')
  const findBox = (selector: string) =>
    page.locator(selector).evaluate((each) => each.getBoundingClientRect().toJSON())
  await open(page, site.url)
  const look = async () => [await findBox('.hero-panel'), await findBox('.hero-words')]
  const [panel, words] = await look()
  expect([panel.left, words.right]).toEqual([0, 1280])
  expect(panel.right).toBe(words.left)
  await plate().click()
  await waitForLanguage('en')
  expect(await plate().evaluate((each) => each === document.activeElement)).toBe(true)
  const [turned, changed] = await look()
  expect([changed.left, turned.right]).toEqual([0, 1280])
  expect(changed.right).toBe(turned.left)
  await page.setViewportSize({ width: 390, height: 844 })
  const band = await findBox('.hero-panel')
  const between = await findBox('.hero-words')
  expect([between.top, between.bottom]).toEqual([band.bottom, (await findBox('.plate')).top])
})

test('the button that changes the language stays in view, though the page above it becomes longer', async () => {
  await open(page, `${site.url}/privacy-policy?lang=en`)
  await page.locator('.footer .link-button[lang]').press('Enter')
  await waitForLanguage('fr')
  await page.waitForFunction(() => {
    const { top, bottom } = document.activeElement?.getBoundingClientRect() ?? new DOMRect()
    return document.activeElement?.closest('.footer') && top > 0 && bottom <= innerHeight
  })
})

test('on a privacy page the toggle goes to its twin, and the footer links to the right one', async () => {
  await open(page, `${site.url}/politique-confidentialite`)
  await toggleTo('en')
  await page.waitForURL('**/privacy-policy')
  expect(await page.locator('.footer a[href="/privacy-policy"]').count()).toBe(1)
  expect(await banner().locator('a').getAttribute('href')).toBe('/privacy-policy')
})

test('a privacy page in the language of its twin toggles to its own', async () => {
  await context.addCookies([{ name: 'rg-language', value: 'fr', url: site.url }])
  await open(page, `${site.url}/privacy-policy`)
  expect(await getLanguage()).toBe('fr-CA')
  await toggleTo('en')
  expect(new URL(page.url()).pathname).toBe('/privacy-policy')
})

/** The page asks if the server is there, because it could not load the texts of the other language. */
const asked = () => page.waitForResponse((response) => response.request().method() === 'HEAD')

/** Opens another tab; `isShown` waits until it shows a language. */
async function openTab(path: string) {
  const tab = await context.newPage()
  await open(tab, site.url + path)
  const shows = (language: Language) =>
    tab.waitForFunction((lang) => document.documentElement.lang === lang, LOCALES[language])
  return { press: () => tab.locator('.language-toggle button').click(), shows, tab }
}

test('a tab that cannot load the other language keeps its own, and leaves the choice of the other tabs alone', async () => {
  await open(page, `${site.url}/contact`)
  await fillForm({ message: TYPED.message })
  await removeChunk('**/assets/contact.en-*.js')
  const one = await openTab('/services')
  const two = await openTab('/')
  const adopted = asked()
  await one.press()
  await adopted
  await two.shows('en')
  // The events of a change of the storage come in the order of the changes.
  await page.evaluate(() => fetch('/robots.txt'))
  expect(await stored()).toEqual(['en', 'en'])
  expect(await getLanguage()).toBe('fr-CA')
  expect(await toast().count()).toBe(0)
  const pressed = asked()
  await toggle().click()
  await pressed
  await toast().getByText(fr.nav.languageFailed.description).waitFor()
  expect(await stored()).toEqual(['en', 'en'])
  await two.press()
  await one.shows('fr')
  expect(await stored()).toEqual(['fr', 'fr'])
  expect(await readForm()).toMatchObject({ message: TYPED.message })
})

describe('text that a visitor typed is kept when the other language cannot be loaded', () => {
  const press = async () => {
    const isAsked = asked()
    await toggle().click()
    await isAsked
    await toast().waitFor()
  }
  afterEach(async () => {
    expect(await readForm()).toMatchObject({ message: TYPED.message })
  })
  const typed = { message: TYPED.message }

  test('after another page was visited', async () => {
    await open(page, `${site.url}/contact`)
    await fillForm(typed)
    await removeChunk('**/assets/*.en-*.js')
    await follow('/services')
    await page.locator('.service-card').first().waitFor()
    await press()
    await page.goBack()
    await submit().waitFor()
    await press()
  })

  test('if it was typed before the page came alive', async () => {
    await removeChunk('**/assets/*.en-*.js')
    const release = await holdBack('**/assets/entry-client-*.js')
    await page.goto(`${site.url}/contact`, { waitUntil: 'commit' })
    await fillForm(typed)
    release()
    await skipSplash(page)
    await press()
  })
})

test('a chosen sector counts as text, one that a link chose does not', async () => {
  await open(page, `${site.url}/contact?service=animal-aid`)
  await removeChunk('**/assets/*.en-*.js')
  await fillForm({ service: 'francophone' })
  await toggle().click()
  await toast().waitFor()
  expect(await readForm()).toMatchObject({ service: 'francophone' })
  await fillForm({ service: 'animal-aid' })
  await toggle().click()
  await page.waitForURL('**/contact?service=animal-aid&lang=en')
})

test.each([
  { name: 'a language', key: 'rg-language', value: 'fr', result: 'fr' },
  { name: 'no answer about cookies', key: 'cookie-consent', value: 'accepted', result: 'en' },
] as const)(
  '$name of another tab wins over an earlier choice whose texts load later',
  async (row) => {
    const { key, value, result } = row
    await open(page, `${site.url}/services`)
    await page.evaluate((name) => {
      addEventListener('storage', (event) => {
        if (event.key === name && event.newValue) Object.assign(window, { hasHeard: true })
      })
    }, key)
    const texts = '**/assets/services.en-*.js'
    const response = page.waitForResponse(texts)
    const release = await holdBack(texts)
    await toggle().click()
    const tab = await context.newPage()
    await tab.goto(`${site.url}/robots.txt`)
    await tab.evaluate(
      ([name, choice]) => {
        localStorage.removeItem(name)
        localStorage.setItem(name, choice)
      },
      [key, value] as const,
    )
    await page.waitForFunction(() => 'hasHeard' in window)
    release()
    await (await response).finished()
    await page.waitForLoadState('networkidle')
    await waitForLanguage(result)
  },
)

test('the three buttons for the language work without JavaScript', async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false })
  const document = await plain.newPage()
  await document.goto(`${site.url}/politique-confidentialite`)
  await document.locator('.language-toggle button').click()
  await document.waitForURL('**/privacy-policy?lang=en')
  await document.goto(`${site.url}/contact`)
  expect(await document.locator('h1').textContent()).toBe(CONTENT.en.contact.headline)
  await document
    .locator('.footer')
    .getByRole('button', { name: CONTENT.en.nav.toggle.name })
    .click()
  await document.waitForURL('**/contact?lang=fr')
  expect(await document.locator('html').getAttribute('lang')).toBe('fr-CA')
  await document.goto(site.url)
  await document.locator('main').getByRole('button', { name: CONTENT.en.hero.headline }).click()
  await document.waitForURL('**/?lang=en')
  await plain.close()
})

describe('the tooltip of the toggle', () => {
  beforeEach(() => open(page, `${site.url}/services`))

  const tooltip = () => page.locator('.tooltip')

  test('is loaded by the first hover, and opens after 700 ms', async () => {
    await stopClock()
    await open(page, `${site.url}/services`)
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(request.url()))
    await toggle().hover()
    await page.locator('.toggle[data-state]').waitFor()
    expect(scripts.filter((url) => url.includes('radix-tooltip'))).toHaveLength(1)
    await page.clock.runFor(699)
    expect(await tooltip().count()).toBe(0)
    await page.clock.runFor(1)
    await tooltip().filter({ hasText: CONTENT.fr.nav.toggle.name }).waitFor()
  })

  test('opens again at once within 300 ms after it closed', async () => {
    await stopClock()
    await open(page, `${site.url}/services`)
    const leave = async () => {
      while ((await tooltip().count()) > 0) await page.mouse.move(640, 600, { steps: 2 })
    }
    await toggle().hover()
    await page.locator('.toggle[data-state]').waitFor()
    await page.clock.runFor(700)
    await tooltip().waitFor()
    await leave()
    await page.clock.runFor(299)
    await toggle().hover()
    await tooltip().waitFor()
    await leave()
    await page.clock.runFor(300)
    await toggle().hover()
    await page.clock.runFor(699)
    expect(await tooltip().count()).toBe(0)
  })

  test('does not keep the next page from loading its texts in the other language', async () => {
    await toggle().hover()
    await page.locator('.toggle[data-state]').waitFor()
    await follow('/secteurs-activite')
    await page.waitForURL('**/secteurs-activite')
    const loaded = page.waitForRequest('**/sectors.en-*.js')
    await toggle().hover()
    await loaded
  })

  test('is opened by the keyboard, and the focus stays', async () => {
    while (!(await toggle().evaluate((element) => element === document.activeElement))) {
      await page.keyboard.press('Tab')
    }
    await tooltip().waitFor()
    expect(await toggle().evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await tooltip().waitFor({ state: 'detached' })
  })

  test('loses no press while its code is loading', async () => {
    const chunk = '**/radix-tooltip-*'
    const release = await holdBack(chunk)
    await toggle().hover()
    await page.mouse.down()
    const loaded = page.waitForResponse(chunk)
    release()
    await loaded
    await page.mouse.up()
    await waitForLanguage('en')
  })
})
