import { CONTENT, fr } from '../../shared/content/index.ts'
import { pages } from '../../shared/pages.ts'
import { open } from '../../tools/harness/browser.ts'
import {
  addScript,
  context,
  noise,
  page,
  revisit,
  setUpVisits,
  site,
  visit,
} from '../support/visits.ts'
import {
  banner,
  follow,
  getLanguage,
  STILL,
  stopClock,
  takeReports,
  toast,
  toggle,
  toggleTo,
  waitForLanguage,
} from './steps.ts'

setUpVisits()
/** A test is offline, and the browser logs each file that it could not load. */
const LOAD_FAILED = /^Failed to load resource: .*ERR_INTERNET_DISCONNECTED/
afterEach(() => {
  expect(noise.splice(0).filter((line) => !LOAD_FAILED.test(line))).toEqual([])
  expect(takeReports()).toEqual([])
})

const stored = () =>
  page.evaluate(() => [
    localStorage.getItem('rg-language'),
    document.cookie.match(/rg-language=(\w+)/)?.[1],
  ])
const storeLanguage = (value: string) =>
  page.evaluate((language) => localStorage.setItem('rg-language', language), value)
const sendCookie = (value: string) =>
  context.addCookies([{ name: 'rg-language', value, url: site.url }])
const hasFocus = (element = toggle()) => element.evaluate((each) => each === document.activeElement)

test('a plain visit stores nothing, and values that are no language are ignored', async () => {
  await revisit()
  await open(page, `${site.url}/services`)
  await follow('/contact')
  await open(page, `${site.url}/services?lang=de`)
  expect(await stored()).toEqual([null, undefined])
  await sendCookie('de')
  await storeLanguage('de')
  await open(page, `${site.url}/services`)
  expect(await getLanguage()).toBe('fr')
  expect(await stored()).toEqual(['de', 'de'])
})

test('a choice in the storage counts more than one in the cookie, if it is a language', async () => {
  await revisit()
  for (const [cookie, storage, result] of [
    ['fr', 'en', 'en'],
    ['en', 'fr', 'fr'],
    ['en', 'de', 'en'],
  ] as const) {
    await sendCookie(cookie)
    await storeLanguage(storage)
    await open(page, `${site.url}/services`)
    await waitForLanguage(result)
    expect((await stored())[1]).toBe(result)
    expect(await page.locator('nav.nav').textContent()).toContain(CONTENT[result].nav.home)
    expect(await page.title()).toContain(CONTENT[result].services.meta.title)
  }
})

test('offline, links reach all pages; only the other language says that it cannot come, until the next try', async () => {
  // The texts of the other language must not be in the browser's cache.
  await visit(STILL)
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
  const address = page.url()
  await toggle().click()
  const { title, description } = fr.nav.languageFailed
  const hasText = `${title} ${description}`
  await toast().and(page.locator('[data-variant=destructive]')).filter({ hasText }).waitFor()
  expect([await getLanguage(), page.url()]).toEqual(['fr', address])
  expect(await stored()).toEqual([null, undefined])
  await toast().getByRole('button').click()
  await toast().waitFor({ state: 'detached' })
  await context.setOffline(false)
  await toggleTo('en')
})

test('a language that does not come is told after 8 s, also without the code of toasts', async () => {
  await visit(STILL)
  await page.route('**/assets/en-*.js', () => {})
  await page.route('**/assets/overlays-*.js', (route) => route.abort('internetdisconnected'))
  await page.clock.install()
  await open(page, site.url)
  await toggle().click()
  await page.clock.fastForward(7000)
  expect(await page.locator('.toasts').count()).toBe(0)
  await page.clock.fastForward(1000)
  const { title, description } = fr.nav.languageFailed
  await page.locator('.toasts', { hasText: `${title}. ${description}` }).waitFor()
  expect(await getLanguage()).toBe('fr')
})

test('a file of texts that a filter has emptied changes nothing, and that is told', async () => {
  await visit(STILL)
  await page.route('**/assets/en-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  )
  await open(page, site.url)
  await toggle().click()
  await toast().filter({ hasText: fr.nav.languageFailed.title }).waitFor()
  expect([await getLanguage(), ...(await stored())]).toEqual(['fr', null, undefined])
  expect(await page.locator('h1').textContent()).toBe(fr.headlines.home)
})

test('a page that is only prerendered stores nothing until it is opened', async () => {
  await visit({ ...STILL, extraHTTPHeaders: { 'Sec-Purpose': 'prefetch;prerender' } })
  await addScript(() => {
    Object.defineProperty(document, 'prerendering', { value: true, writable: true })
  })
  await page.goto(`${site.url}/services?lang=en`, { waitUntil: 'networkidle' })
  expect(await stored()).toEqual([null, undefined])
  await page.evaluate(() => {
    Object.assign(document, { prerendering: false })
    document.dispatchEvent(new Event('prerenderingchange'))
  })
  await banner().waitFor()
  expect(await stored()).toEqual(['en', 'en'])
})

test('going back keeps the newer choice: that of this document, or of another one', async () => {
  await revisit()
  await open(page, `${site.url}/services?lang=en`)
  expect(await stored()).toEqual(['en', 'en'])
  await follow('/secteurs-activite')
  await toggleTo('fr')
  await page.goBack()
  await page.locator('.service-card').first().waitFor()
  expect(await getLanguage()).toBe('fr')
  expect(await stored()).toEqual(['fr', 'fr'])
  await storeLanguage('en')
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await waitForLanguage('en')
})

test('address and language agree after Back, within a document and to one that is loaded again', async () => {
  await revisit()
  await open(page, `${site.url}/services?lang=en&from=a`)
  await page.locator('.footer a[href="/privacy-policy"]').click()
  await toggleTo('fr')
  await page.waitForURL('**/politique-confidentialite')
  await page.goBack()
  await page.locator('.service-card').first().waitFor()
  await page.waitForURL(`${site.url}/services?from=a`)
  await page.reload()
  expect([await getLanguage(), ...(await stored())]).toEqual(['fr', 'fr', 'fr'])
  // Playwright's Chromium keeps no document that is left.
  await open(page, `${site.url}/services?lang=en`)
  await open(page, `${site.url}/contact`)
  await toggleTo('fr')
  await page.goBack()
  await waitForLanguage('fr')
  await page.waitForURL(`${site.url}/services`)
  expect(await stored()).toEqual(['fr', 'fr'])
})

test('the toggle switches, keeps focus and scroll position, and removes the language from the address', async () => {
  await revisit()
  await open(page, `${site.url}/contact?lang=fr`)
  await toggle().focus()
  await page.evaluate(() => window.scrollTo(0, 200))
  await page.keyboard.press('Enter')
  await waitForLanguage('en')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('value'))).toBe('fr')
  expect(await page.evaluate(() => window.scrollY)).toBe(200)
  expect(await page.title()).toContain(CONTENT.en.brand.name)
  expect(await stored()).toEqual(['en', 'en'])
  await page.waitForURL(`${site.url}/contact`)
})

test('each language has its side; on a phone the words stand between the panel and the plate', async () => {
  await revisit()
  await open(page, site.url)
  const plate = page.locator('.plate')
  const look = () =>
    page.evaluate(() =>
      ['.hero-panel', '.hero-words', '.plate']
        .flatMap((selector) => document.querySelector(selector) ?? [])
        .map((each) => each.getBoundingClientRect().toJSON()),
    )
  const [panel, words] = await look()
  expect([panel.left, panel.right, words.right]).toEqual([0, words.left, 1024])
  await plate.click()
  await waitForLanguage('en')
  expect(await hasFocus(plate)).toBe(true)
  const [turned, changed] = await look()
  expect([changed.left, changed.right, turned.right]).toEqual([0, turned.left, 1024])
  await page.setViewportSize({ width: 390, height: 844 })
  const [band, between, below] = await look()
  expect([between.top, between.bottom]).toEqual([band.bottom, below.top])
})

test('on a privacy page the toggle goes to its twin, and the footer links to the right one', async () => {
  await revisit()
  await sendCookie('fr')
  await open(page, `${site.url}/privacy-policy`)
  expect(await getLanguage()).toBe('fr')
  await page.waitForURL('**/politique-confidentialite')
  await toggleTo('en')
  await page.waitForURL('**/privacy-policy')
  // In French, the page above the button becomes longer.
  await page.locator('.footer .link-button[lang]').press('Enter')
  await page.waitForURL('**/politique-confidentialite')
  await page.waitForFunction(() => {
    const { top, bottom } = document.activeElement?.getBoundingClientRect() ?? new DOMRect()
    return document.activeElement?.closest('.footer') && top > 0 && bottom <= innerHeight
  })
  await toggleTo('en')
  await page.waitForURL('**/privacy-policy')
  expect(await page.locator('.footer a[href="/privacy-policy"]').count()).toBe(1)
  expect(await banner().locator('a').getAttribute('href')).toBe('/privacy-policy')
})

test('the three buttons for the language work without JavaScript', async () => {
  const { nav, headlines } = CONTENT.en
  await visit({ javaScriptEnabled: false })
  await page.goto(`${site.url}/politique-confidentialite`)
  await page.locator('.language-toggle button').click()
  await page.waitForURL('**/privacy-policy?lang=en')
  await page.goto(`${site.url}/contact`)
  await page.locator('.footer').getByRole('button', { name: nav.toggle.name }).click()
  await page.waitForURL('**/contact?lang=fr')
  await page.goto(site.url)
  await page.locator('main').getByRole('button', { name: headlines.home }).click()
  await page.waitForURL('**/?lang=en')
})

describe('the tooltip of the toggle', () => {
  const tooltip = () => page.locator('.tooltip')
  const moveAway = () => page.mouse.move(640, 600, { steps: 2 })
  const leave = async () => {
    while ((await tooltip().count()) > 0) await moveAway()
  }
  /** Radix marks the control of a tooltip. */
  const waitForTooltip = () => page.locator('.toggle[data-state]').waitFor()

  beforeAll(async () => {
    await visit(STILL)
    await open(page, `${site.url}/services`)
    await waitForTooltip()
    await stopClock()
  })

  test('opens after 700 ms', async () => {
    await toggle().hover()
    await page.clock.runFor(699)
    expect(await tooltip().count()).toBe(0)
    await page.clock.runFor(1)
    await tooltip().filter({ hasText: CONTENT.fr.nav.toggle.name }).waitFor()
  })

  test('opens again at once within 300 ms after it closed', async () => {
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
    await moveAway()
    while (!(await hasFocus())) await page.keyboard.press('Tab')
    await tooltip().waitFor()
    expect(await hasFocus()).toBe(true)
    // Its text is the name of the button, which a screen reader has said.
    expect(await toggle().getAttribute('aria-describedby')).toBeNull()
    await page.keyboard.press('Escape')
    await tooltip().waitFor({ state: 'detached' })
  })

  test.each([
    ['pointer', () => toggle().hover(), moveAway],
    ['focus', () => toggle().focus(), () => page.locator('.logo').focus()],
  ])(
    'does not replace the button under the %s, at which the other language is fetched',
    async (by, enter, away) => {
      await revisit()
      await addScript(() => {
        const run: (() => void)[] = []
        Object.assign(window, { requestIdleCallback: run.push.bind(run), goIdle: () => run[0]?.() })
      })
      await open(page, `${site.url}/services`)
      const texts = page.waitForResponse('**/assets/en-*.js')
      await enter()
      await texts
      const button = await toggle().elementHandle()
      const isShown = () => page.evaluate((each) => each?.isConnected, button)
      await page.evaluate(() => (window as unknown as { goIdle(): void }).goIdle())
      await page.locator('[role=region]').waitFor({ state: 'attached' })
      expect([by, await isShown()]).toEqual([by, true])
      await away()
      await waitForTooltip()
      expect(await isShown()).toBe(false)
    },
  )
})
