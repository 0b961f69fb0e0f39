import type { Locator } from 'playwright-core'
import { en, fr } from '../../shared/content/index.ts'
import {
  hasFonts,
  open,
  openWithoutBanner,
  skipSplash,
  watch,
} from '../../tools/harness/browser.ts'
import { context, page, setUpVisits, site, visit } from '../support/visits.ts'
import {
  banner,
  fillForm,
  follow,
  holdBack,
  readForm,
  STILL,
  submit,
  summary,
  TYPED,
  takeReports,
  toggleTo,
  watchPosts,
} from './steps.ts'

setUpVisits()
beforeEach(() => visit())

const splash = () => page.locator('.splash')
const serverError = (title: string) => page.locator('h1', { hasText: title })
const titled = ({ meta }: { meta: { title: string } }) =>
  page.waitForFunction((title) => document.title.startsWith(title), meta.title)
const serviceCard = () => page.locator('.service-card').first()
const consent = () =>
  page.evaluate(() => [
    localStorage.getItem('cookie-consent'),
    document.cookie.match(/cookie-consent=([\w-]+)/)?.[1] ?? null,
  ])

/** Pauses the animations of the splash when the first one starts, so that the splash cannot end by itself. */
const holdSplash = () =>
  page.addInitScript(() => {
    addEventListener('animationstart', () => {
      if (!document.getElementById('splash')) return
      for (const animation of document.getAnimations())
        if (animation.playState === 'running') animation.pause()
    })
  })

/** At each width: the box of the panel, and the elements whose middle is not covered. */
async function look() {
  const views = []
  for (const width of [320, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    const view = await page.evaluate(() => {
      const findBox = (selector: string) =>
        document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
      const isOnTop = (selector: string) => {
        const { x, y, width, height } = findBox(selector)
        return document.elementFromPoint(x + width / 2, y + height / 2)?.closest(selector)
      }
      const onTop = ['.hero-panel', '.splash', 'h1', '.logo'].filter(isOnTop)
      return { panel: findBox('.hero-panel').toJSON(), onTop }
    })
    views.push(view)
  }
  return views
}

test.each(['/', '/health-safety', '/test-404'])(
  '%s: the splash covers the words, and the panel stays when it leaves',
  async (path) => {
    await holdSplash()
    await page.goto(site.url + path)
    await page.waitForFunction(hasFonts)
    const before = await look()
    // The panel is in sight, but a press there ends the splash and does nothing else.
    for (const { onTop } of before) expect(onTop).toEqual(['.splash'])
    await skipSplash(page)
    const after = before.map(({ panel }) => ({ panel, onTop: ['.hero-panel', 'h1', '.logo'] }))
    expect(await look()).toEqual(after)
  },
)

test('the splash ends by itself, before the banner, and appears once for a document', async () => {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const hasSplash = document.querySelector('.splash')
      if (hasSplash && document.querySelector('.cookie-banner')) throw new Error('both are shown')
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(site.url, { waitUntil: 'commit' })
  await splash().waitFor()
  await splash().waitFor({ state: 'detached' })
  await banner().waitFor()
  await follow('/services')
  await page.waitForURL('**/services')
  expect(await splash().count()).toBe(0)
})

test.each([
  ['click', () => page.mouse.click(5, 5)],
  ['wheel', () => page.mouse.wheel(0, 10)],
  ['touch', () => page.evaluate(() => void window.dispatchEvent(new Event('touchmove')))],
])('a %s ends the splash at once', async (_, interrupt) => {
  await holdSplash()
  await page.goto(site.url)
  await page.waitForFunction(() => document.querySelector('.header')?.getClientRects().length)
  await page.waitForLoadState('networkidle')
  await interrupt()
  await splash().waitFor({ state: 'detached' })
})

test('a click that ends the splash does nothing else, nor does a press on the panel', async () => {
  await visit({ viewport: { width: 390, height: 800 } })
  await holdSplash()
  await page.goto(site.url)
  await page.waitForLoadState('networkidle')
  await page.locator('main .button').first().click({ force: true })
  await splash().waitFor({ state: 'detached' })
  expect(page.url()).toBe(`${site.url}/`)
  await page.locator('main .button').first().click()
  await page.waitForURL('**/contact')
})

test('a key that was pressed before any script had come ends the splash', async () => {
  await holdSplash()
  const release = await holdBack('**/assets/*.js')
  await page.goto(site.url, { waitUntil: 'commit' })
  await page.locator('.footer').waitFor()
  await page.keyboard.press('Tab')
  release()
  await splash().waitFor({ state: 'detached' })
})

test.each([
  ['accepted', 'necessary-only', 0],
  ['necessary-only', 'accepted', 1],
])('%s lasts, until %s replaces it, even in a full store', async (first, second, index) => {
  const choose = (nth: number) => banner().locator('.actions button').nth(nth).click()
  await open(page, site.url)
  await choose(index)
  await banner().waitFor({ state: 'detached' })
  expect(await consent()).toEqual([first, first])
  await open(page, `${site.url}/services`)
  expect(await banner().count()).toBe(0)
  await page.locator('.footer .needs-script').click()
  await page.evaluate(() => void Object.assign(Storage.prototype, { setItem: null }))
  await choose(1 - index)
  expect(await consent()).toEqual([null, second])
})

test('the banner explains four categories; closing it stores nothing and lasts for the document', async () => {
  await open(page, site.url)
  await banner().locator('summary').click()
  expect(await banner().locator('dt:visible').count()).toBe(4)
  await banner().locator('.close').click()
  await banner().waitFor({ state: 'detached' })
  expect(await consent()).toEqual([null, null])
  await follow('/services')
  await page.waitForURL('**/services')
  expect(await banner().count()).toBe(0)
  await open(page, site.url)
  await banner().waitFor()
})

test('the banner and its details open and close without a new style for every element', async () => {
  await open(page, site.url)
  await banner().waitFor()
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['devtools.timeline'] })
  for (const button of ['summary', 'summary', '.close']) {
    await banner().locator(button).click()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  }
  const { traceEvents } = JSON.parse(String(await browser?.stopTracing()))
  const counts: number[] = traceEvents.map(
    ({ args }: { args: { elementCount?: number } }) => args.elementCount ?? 0,
  )
  expect(Math.max(...counts)).toBeGreaterThan(10)
  expect(Math.max(...counts)).toBeLessThan(100)
})

test('a choice in another tab closes the banner; another language does not', async () => {
  await open(page, site.url)
  await banner().waitFor()
  const tab = await context.newPage()
  await open(tab, `${site.url}/?lang=en`)
  expect(await banner().count()).toBe(1)
  await tab.locator('.cookie-banner .actions button').first().click()
  await banner().waitFor({ state: 'detached' })
})

test('a blocker that removes the banner disturbs neither the page nor the button in the footer', async () => {
  const noise = watch(page)
  await open(page, site.url)
  const block = () => banner().evaluate((blocked) => blocked.remove())
  const opener = page.locator('.footer .needs-script')
  await banner().waitFor()
  await block()
  for (const _ of ['first', 'again']) {
    await opener.click()
    await banner().waitFor()
    await block()
  }
  const tab = await context.newPage()
  await open(tab, `${site.url}/services`)
  await tab.locator('.cookie-banner .actions button').first().click()
  await page.waitForFunction(() => localStorage.getItem('cookie-consent'))
  await toggleTo('en')
  expect(await page.locator('h1').textContent()).toBe(en.hero.headline)
  expect(noise).toEqual([])
})

test('the banner opened from the footer takes the focus and returns it, though the click gave the button none', async () => {
  await context.addInitScript(() => localStorage.setItem('cookie-consent', 'accepted'))
  await open(page, site.url)
  // Imitate Safari, where a click does not focus a button.
  await page.evaluate(() => addEventListener('mousedown', (event) => event.preventDefault()))
  const opener = page.locator('.footer .needs-script')
  const hasFocus = (element: Locator) => element.evaluate((each) => each === document.activeElement)
  await opener.click()
  await banner().waitFor()
  expect(await hasFocus(banner())).toBe(true)
  await banner().locator('.close').click()
  expect(await hasFocus(opener)).toBe(true)
})

test.each([390, 1440])(
  'at %i px the focus in the banner does not scroll the page',
  async (width) => {
    await visit({ ...STILL, viewport: { width, height: 800 } })
    await open(page, site.url)
    await banner().waitFor()
    for (const part of ['a', 'summary', '.button', '.close']) {
      await page.evaluate(() => window.scrollTo(0, 300))
      await banner().locator(part).first().focus()
      expect(await page.evaluate(() => window.scrollY)).toBe(300)
    }
  },
)

describe('the header', () => {
  const getTop = () => page.locator('.header').evaluate((each) => each.getBoundingClientRect().top)
  const scroll = (pixels: number) => page.evaluate((top) => window.scrollBy({ top }), pixels)
  const waitForTop = (top: number) =>
    page.waitForFunction((top) => {
      const { y, bottom } = document.querySelector('.header')?.getBoundingClientRect() ?? {}
      return top < 0 ? (bottom ?? 1) <= 0 : y === top
    }, top)

  test('on a phone, leaves when the page scrolls down and returns when it scrolls up or has the focus', async () => {
    await visit({ ...STILL, viewport: { width: 390, height: 664 } })
    await openWithoutBanner(page, site.url)
    await scroll(30)
    await waitForTop(0)
    await scroll(800)
    await waitForTop(-1)
    await scroll(-5)
    await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(await getTop()).toBeLessThan(0)
    await scroll(-20)
    await waitForTop(0)
    await scroll(800)
    await waitForTop(-1)
    await scroll(-400)
    await waitForTop(0)
    const place = await page.evaluate(() => scrollY)
    await page.locator('.menu summary').click()
    expect(await page.evaluate(() => scrollY)).toBe(place)
    await scroll(300)
    await waitForTop(0)
    await follow('/services')
    await serviceCard().waitFor()
    await scroll(800)
    await waitForTop(-1)
    await page.keyboard.press('Shift+Tab')
    await waitForTop(0)
  })

  test('never covers a field that a link leads to', async () => {
    await visit({ ...STILL, viewport: { width: 390, height: 664 } })
    await openWithoutBanner(page, `${site.url}/contact`)
    await submit().click()
    await summary().waitFor()
    await scroll(2000)
    await waitForTop(-1)
    await page.evaluate(() => document.querySelector<HTMLElement>('.error-summary a')?.click())
    const place = await page.waitForFunction(() => {
      const { top } = document.querySelector('label[for=firstName]')?.getBoundingClientRect() ?? {}
      return top !== undefined && top > 0 && top
    })
    await waitForTop(0)
    const height = await page.locator('.header').evaluate((each) => each.clientHeight)
    expect(await place.jsonValue()).toBeGreaterThan(height)
  })

  test('does not cover the part of the page at which the visitor enters', async () => {
    await visit({ ...STILL, viewport: { width: 390, height: 664 } })
    await openWithoutBanner(page, `${site.url}/services#service-2`)
    await waitForTop(0)
    const [{ bottom }, { top }] = await Promise.all(
      ['.header', '#service-2'].map((selector) =>
        page.locator(selector).evaluate((each) => each.getBoundingClientRect().toJSON()),
      ),
    )
    expect(top).toBeGreaterThan(bottom)
  })

  test('stays at the top of the page on a wider screen and in a low window', async () => {
    for (const viewport of [
      { width: 768, height: 1024 },
      { width: 640, height: 360 },
    ]) {
      await visit({ ...STILL, viewport })
      await openWithoutBanner(page, site.url)
      await scroll(800)
      await scroll(-100)
      expect(await getTop()).toBe(-700)
    }
  })
})

test('the call to action of the services reaches the contact part of the home page', async () => {
  await open(page, `${site.url}/services`)
  await page.locator('.call-to-action a').click()
  await page.waitForURL('**/#contact')
  await page.waitForFunction(() => {
    const { top } = document.getElementById('contact')?.getBoundingClientRect() ?? { top: 1e9 }
    return top >= -1 && top < window.innerHeight / 2
  })
  expect(await page.locator('#contact form').count()).toBe(0)
})

test('a link to where the visitor is leads there again', async () => {
  await openWithoutBanner(page, `${site.url}/services`)
  const link = page.locator('.footer a[href$="#accessibility"]')
  for (let count = 0; count < 2; count++) {
    await link.click()
    await page.waitForFunction(() => document.activeElement?.id === 'accessibility')
    await page.locator('.logo').focus()
  }
  await page.locator('.nav a[href="/contact"]').click()
  await page.waitForURL('**/contact')
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
  await page.evaluate(() => window.scrollTo(0, 500))
  await page.locator('.nav a[href="/contact"]').evaluate((each: HTMLElement) => each.click())
  await page.waitForFunction(() => scrollY === 0)
})

test('another page opens at the top, with the focus on its heading; going back restores the place', async () => {
  await open(page, `${site.url}/contact#firstName`)
  await follow('/')
  await page.locator('.card').first().waitFor()
  await page.evaluate(() => window.scrollTo(0, 1500))
  await page.locator('.footer a[href="/contact"]').click()
  await page.waitForURL('**/contact')
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toMatch(/\/contact$/)
  await page.goBack()
  await titled(fr.hero)
  await page.waitForFunction(() => scrollY > 0)
  await page.goForward()
  await titled(fr.contact)
  await page.waitForFunction(() => scrollY === 0)
  await page.goBack()
  await titled(fr.hero)
  await page.goBack()
  await page.waitForFunction(() => document.activeElement?.id === 'firstName')
  expect(await page.locator('#firstName').getAttribute('tabindex')).toBeNull()
})

test('the test page logs the answers to its calls, and a thrown error shows the server error page', async () => {
  const noise = watch(page)
  const logged = (text: string) =>
    page.waitForEvent('console', (message) => message.text().includes(text))
  await open(page, `${site.url}/error-test?lang=en`)
  const buttons = page.locator('main button')
  for (const [index, status] of [404, 500].entries()) {
    const answered = logged(`ApiError: ${status}: `)
    await buttons.nth(index).click()
    await answered
  }
  expect(await page.locator('h1').textContent()).not.toBe(en.errors.serverError.headline)
  const report = page.waitForResponse('**/api/client-errors')
  await buttons.nth(2).click()
  await serverError(en.errors.serverError.headline).waitFor()
  expect((await report).status()).toBe(204)
  expect(takeReports()).toMatchObject([
    { path: '/error-test', message: expect.stringContaining('Thrown by the test page') },
  ])
  expect(noise.join()).toContain('Thrown by the test page')
  await titled(en.errors.serverError)
})

test('neither foreign errors nor notices nor rejections affect the page; its own rejection is reported', async () => {
  await open(page, `${site.url}/services`)
  const report = page.waitForResponse('**/api/client-errors')
  await page.evaluate(() => {
    const notice = 'ResizeObserver loop completed with undelivered notifications.'
    const errors = [
      ['chrome-extension://x/y.js', 'Error: x'],
      [location.href, "ReferenceError: Can't find variable: _AutofillCallbackHandler"],
      ['', 'Script error.'],
      [`${location.origin}/assets/x.js`, notice],
    ] as const
    for (const [filename, message] of errors)
      window.dispatchEvent(new ErrorEvent('error', { filename, message }))
    Promise.reject(new Error('rejected'))
    const stack = `TypeError: rejected\n at f (${location.origin}/assets/x.js:1:2)`
    Promise.reject(Object.assign(new TypeError('rejected'), { stack }))
  })
  await report
  expect(takeReports()).toMatchObject([{ path: '/services', message: 'TypeError: rejected' }])
  // A crash would have replaced the page before the language changes.
  await toggleTo('en')
  expect(await page.locator('h1').textContent()).toBe(en.services.headline)
})

/** Runs in the page: reports errors of one of its scripts. */
function failScripts(times: number): void {
  const filename = `${location.origin}/assets/x.js`
  for (let nth = 0; nth < times; nth += 1)
    window.dispatchEvent(new ErrorEvent('error', { filename, message: 'Error: x' }))
}

test.each([
  ['five of its errors', 204, 5],
  ['no error after a refusal', 429, 1],
])('a document reports %s', async (_, status, count) => {
  const posts = watchPosts()
  await page.route('**/api/client-errors', (route) => route.fulfill({ status }))
  await open(page, site.url)
  const answer = page.waitForResponse('**/api/client-errors')
  await page.evaluate(failScripts, 1)
  await answer
  // This answer comes after the other one.
  await page.evaluate(() => fetch('/robots.txt'))
  await page.evaluate(failScripts, 100)
  await toggleTo('en')
  expect(posts).toHaveLength(count)
})

/** Goes from the page for a server error to the contact page. */
async function leaveServerError(): Promise<void> {
  await serverError(fr.errors.serverError.headline).waitFor()
  await page.locator('.footer a[href="/contact"]').click()
  await page.locator('.contact-form').waitFor()
}

test('a page whose script failed is shown again after going back to it', async () => {
  await open(page, `${site.url}/services?lang=en`)
  await toggleTo('fr')
  await page.evaluate(() => window.scrollTo(0, 900))
  await page.evaluate(failScripts, 1)
  const hasText = fr.errors.serverError.meta.title
  await page.locator('[role=status]', { hasText }).waitFor({ state: 'attached' })
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1' && scrollY === 0)
  await leaveServerError()
  await page.goBack()
  await serviceCard().waitFor()
})

test('a link to the page whose script failed shows it again; a link within the page does not', async () => {
  await open(page, site.url)
  await follow('/services')
  await serviceCard().waitFor()
  await page.evaluate(failScripts, 1)
  await serverError(fr.errors.serverError.headline).waitFor()
  await page.locator('.skip-link').press('Enter')
  await page.waitForURL('**/services#main')
  expect(await serviceCard().count()).toBe(0)
  await follow('/services')
  await serviceCard().waitFor()
})

test('when the script of the form’s page fails, the links of the error page keep the typed text', async () => {
  await open(page, `${site.url}/contact`)
  await fillForm()
  await page.evaluate(failScripts, 1)
  await serverError(fr.errors.serverError.headline).waitFor()
  await page.locator('main .secondary[href="/contact"]').click()
  await submit().waitFor()
  expect(await readForm()).toEqual(TYPED)
})

test('links with a modifier open a new tab, on the error pages too', async () => {
  for (const [path, link] of [
    ['/test-404', '.fallen'],
    ['/test-500', 'main a[href="/contact"]'],
  ] as const) {
    await open(page, site.url + path)
    const tab = context.waitForEvent('page')
    await page.locator(link).click({ modifiers: ['ControlOrMeta'] })
    await (await tab).close()
    expect(page.url()).toBe(site.url + path)
  }
})

test('Back leads to the place before a link within the form’s page, and links to faulty fields leave no entry', async () => {
  await visit({ ...STILL, viewport: { width: 1280, height: 500 } })
  await openWithoutBanner(page, site.url)
  await page.locator('.footer a[href="/contact"]').click()
  await titled(fr.contact)
  await page.locator('main a[href="#request"]').click()
  await page.waitForFunction(() => scrollY > 0)
  await page.goBack()
  await page.waitForFunction(() => scrollY === 0)
  await submit().click()
  for (const name of ['firstName', 'email']) {
    await summary().locator(`a[href="#${name}"]`).click()
    await page.waitForFunction((id) => document.activeElement?.id === id, name)
  }
  await page.goBack()
  await titled(fr.hero)
})

test('the page of the form opens at its top when it is loaded again', async () => {
  await open(page, `${site.url}/contact`)
  await page.evaluate(() => window.scrollTo(0, 900))
  await page.reload()
  await skipSplash(page)
  await page.waitForLoadState('networkidle')
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('a page without a print dialog has no line for it; a dialog that fails disturbs nothing', async () => {
  const line = page.locator('.call-to-action .link-button')
  await open(page, `${site.url}/public-safety`)
  await page.evaluate(() => {
    window.print = () => {
      throw new Error('refused')
    }
  })
  await line.click()
  await toggleTo('en')
  expect(await page.locator('h1').textContent()).toBe(en.divisions.items['public-safety'].headline)
  await page.addInitScript(() => Reflect.deleteProperty(window, 'print'))
  await open(page, `${site.url}/public-safety`)
  await line.waitFor({ state: 'detached' })
})

test('a choice made before a return by the Back button closes the banner', async () => {
  await open(page, site.url)
  await banner().waitFor()
  await page.evaluate(() => {
    localStorage.setItem('cookie-consent', 'accepted')
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await banner().waitFor({ state: 'detached' })
})

test.each(['/', '/contact'])('%s: the footer leads to the form', async (path) => {
  await openWithoutBanner(page, site.url + path)
  const button = page.locator('.footer .button')
  expect(await button.isVisible()).toBe(true)
  expect(await button.getAttribute('href')).toBe('/contact')
})

test('the fallen petal leads home, and the buttons beside it are equally high', async () => {
  await openWithoutBanner(page, `${site.url}/test-404?lang=en`)
  const heights = await page
    .locator('.hero .button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height))
  expect(new Set(heights).size).toBe(1)
  const petal = page.locator('.fallen')
  expect(await petal.getAttribute('href')).toBe('/')
  const lowerEdges = await page
    .locator('.hero, .fallen')
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().bottom))
  expect(lowerEdges[0]).toBe(lowerEdges[1])
  await petal.click()
  await page.locator('.card').first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
})
