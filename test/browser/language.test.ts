import { CONTENT, fr } from '../../shared/content/index.ts'
import { pages } from '../../shared/pages.ts'
import { open } from '../../tools/harness/browser.ts'
import { browser, context, noise, page, setUpVisits, site, visit } from '../support/visits.ts'
import {
  banner,
  follow,
  getLanguage,
  holdBack,
  STILL,
  stopClock,
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
] as const)('cookie $cookie, storage $storage: $result', async ({ cookie, storage, result }) => {
  await context.addCookies([{ name: 'rg-language', value: cookie, url: site.url }])
  await context.addInitScript((value) => {
    if (!sessionStorage.getItem('set')) localStorage.setItem('rg-language', value)
    sessionStorage.setItem('set', 'once')
  }, storage)
  await open(page, `${site.url}/services`)
  await waitForLanguage(result)
  expect((await stored())[1]).toBe(result)
  expect(await page.locator('nav.nav').textContent()).toContain(CONTENT[result].nav.home)
  expect(await page.title()).toContain(CONTENT[result].services.meta.title)
})

test('a plain visit stores nothing, and values that are no language are ignored', async () => {
  await open(page, `${site.url}/services`)
  await follow('/contact')
  expect(await stored()).toEqual([null, undefined])
  await context.addCookies([{ name: 'rg-language', value: 'de', url: site.url }])
  await page.evaluate(() => localStorage.setItem('rg-language', 'de'))
  await open(page, `${site.url}/services`)
  expect(await getLanguage()).toBe('fr')
  expect(await stored()).toEqual(['de', 'de'])
})

test('offline, a page says that it keeps its language, and its address, until the next try', async () => {
  await open(page, `${site.url}/politique-confidentialite`)
  await page.locator('[role=region]').waitFor({ state: 'attached' })
  await context.setOffline(true)
  await toggle().click()
  const { title, description } = fr.nav.languageFailed
  await toast()
    .filter({ hasText: `${title} ${description}` })
    .waitFor()
  expect(await getLanguage()).toBe('fr')
  expect(page.url()).toBe(`${site.url}/politique-confidentialite`)
  expect(await stored()).toEqual([null, undefined])
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
  await page.locator('.service-card').first().waitFor()
  expect(await getLanguage()).toBe('fr')
  expect(await stored()).toEqual(['fr', 'fr'])
})

test('the language that was pressed comes to the page that the visitor has opened meanwhile', async () => {
  const release = await holdBack('**/assets/fr-*.js')
  await open(page, `${site.url}/privacy-policy?lang=en`)
  expect(await stored()).toEqual(['en', 'en'])
  await toggle().click()
  await follow('/services')
  await page.locator('.service-card').first().waitFor()
  release()
  await waitForLanguage('fr')
  expect(page.url()).toBe(`${site.url}/services`)
  expect(await page.title()).toContain(CONTENT.fr.services.meta.title)
})

test('offline, all pages are reached by links, in the language that was loaded', async () => {
  await open(page, site.url)
  await page.locator('[role=region]').waitFor({ state: 'attached' })
  await context.setOffline(true)
  for (const { path } of pages.filter(({ indexed }) => indexed)) {
    const link = page.locator(`a[href="${path}"]`).first()
    if ((await link.count()) === 0) continue
    await link.evaluate((each: HTMLElement) => each.click())
    await page.waitForFunction((pathname) => location.pathname === pathname, path)
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
  }
})

test('a repeated lang parameter is ignored, as on the server', async () => {
  await open(page, `${site.url}/services?lang=en&lang=fr`)
  await page.waitForLoadState('networkidle')
  expect(await getLanguage()).toBe('fr')
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
  expect(await getLanguage()).toBe('fr')
  await toggleTo('en')
  expect(new URL(page.url()).pathname).toBe('/privacy-policy')
})

test('a page that the Back button restores has the language that was chosen meanwhile', async () => {
  await open(page, `${site.url}/services`)
  await page.evaluate(() => localStorage.setItem('rg-language', 'en'))
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await waitForLanguage('en')
})

test.each(['hover', 'focus'] as const)('the other language is fetched by %s', async (action) => {
  await open(page, `${site.url}/services`)
  const loaded = page.waitForResponse('**/assets/en-*.js')
  await toggle()[action]()
  await loaded
})

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
  expect(await document.locator('html').getAttribute('lang')).toBe('fr')
  await document.goto(site.url)
  await document.locator('main').getByRole('button', { name: CONTENT.en.hero.headline }).click()
  await document.waitForURL('**/?lang=en')
  await plain.close()
})

describe('the tooltip of the toggle', () => {
  beforeEach(() => open(page, `${site.url}/services`))

  const tooltip = () => page.locator('.tooltip')

  /** Radix marks the control of a tooltip. */
  const waitForTooltip = () => page.locator('.toggle[data-state]').waitFor()

  test('opens after 700 ms', async () => {
    await waitForTooltip()
    await stopClock()
    await toggle().hover()
    await page.clock.runFor(699)
    expect(await tooltip().count()).toBe(0)
    await page.clock.runFor(1)
    await tooltip().filter({ hasText: CONTENT.fr.nav.toggle.name }).waitFor()
  })

  test('opens again at once within 300 ms after it closed', async () => {
    await waitForTooltip()
    await stopClock()
    const leave = async () => {
      while ((await tooltip().count()) > 0) await page.mouse.move(640, 600, { steps: 2 })
    }
    await toggle().hover()
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

  test('is opened by the keyboard, and the focus stays', async () => {
    await waitForTooltip()
    while (!(await toggle().evaluate((element) => element === document.activeElement))) {
      await page.keyboard.press('Tab')
    }
    await tooltip().waitFor()
    expect(await toggle().evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await tooltip().waitFor({ state: 'detached' })
  })

  test.each([
    ['pointer', () => toggle().hover(), () => page.mouse.move(640, 600)],
    ['focus', () => toggle().focus(), () => page.locator('.logo').focus()],
  ])('does not replace the button under the %s', async (_, enter, leave) => {
    await context.addInitScript(() => {
      const run: (() => void)[] = []
      Object.assign(window, { requestIdleCallback: run.push.bind(run), goIdle: () => run[0]?.() })
    })
    await open(page, `${site.url}/services`)
    await enter()
    const button = await toggle().elementHandle()
    const isShown = () => page.evaluate((each) => each?.isConnected, button)
    await page.evaluate(() => (window as unknown as { goIdle(): void }).goIdle())
    await page.locator('[role=region]').waitFor({ state: 'attached' })
    expect(await isShown()).toBe(true)
    await leave()
    await waitForTooltip()
    expect(await isShown()).toBe(false)
  })
})
