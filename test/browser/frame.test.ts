import type { Locator } from 'playwright-core'
import { en, fr } from '../../shared/content/index.ts'
import { SECTORS, SERVICE_IDS, type Sector, type ServiceId } from '../../shared/sectors.ts'
import { hasFonts, open, openWithoutBanner, skipSplash } from '../../tools/harness/browser.ts'
import { addScript, context, noise, page, revisit, setUpVisits, site } from '../support/visits.ts'
import {
  banner,
  fillForm,
  follow,
  holdBack,
  readForm,
  submit,
  submitLater,
  summary,
  TYPED,
  takeReports,
  tapTwice,
  toggleTo,
} from './steps.ts'

setUpVisits()

const PHONE = { width: 390, height: 664 }

const SERVICES: Record<Sector, ServiceId> = {
  'public-safety': 'public-safety',
  'francophone-services': 'francophone',
  'health-safety': 'health-safety',
  'animal-first-aid': 'animal-aid',
}

const splash = () => page.locator('.splash')
/** Opens the banner again. */
const opener = () => page.locator('.footer .needs-script')
const serverError = (title: string) => page.locator('h1', { hasText: title })
const titled = ({ meta }: { meta: { title: string } }) =>
  page.waitForFunction((title) => document.title.startsWith(title), meta.title)
const serviceCard = () => page.locator('.service-card').first()
const consent = () =>
  page.evaluate(() => [
    localStorage.getItem('cookie-consent'),
    document.cookie.match(/cookie-consent=([\w-]+)/)?.[1] ?? null,
  ])

test('the splash ends by itself, before the banner, and appears once for a document', async () => {
  await revisit(undefined, 'no-preference')
  await addScript(() => {
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
  expect(noise).toEqual([])
})

describe('the splash', () => {
  beforeEach(async () => {
    await revisit(undefined, 'no-preference')
    // Pause the animations of the splash when the first one starts, so that the splash cannot end by itself.
    await addScript(() => {
      addEventListener('animationstart', () => {
        if (!document.getElementById('splash')) return
        for (const animation of document.getAnimations())
          if (animation.playState === 'running') animation.pause()
      })
    })
  })

  /** Runs in the page: the box of the panel, and the elements whose middle is not covered. */
  function lookAtPage() {
    const findBox = (selector: string) =>
      document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
    const isOnTop = (selector: string) => {
      const { x, y, width, height } = findBox(selector)
      return document.elementFromPoint(x + width / 2, y + height / 2)?.closest(selector)
    }
    const onTop = ['.hero-panel', '.splash', 'h1', '.logo'].filter(isOnTop)
    const names = [...document.querySelectorAll(':is(.hero-panel, .plate) span')]
    const isShown = names.some((name) => name.checkVisibility({ visibilityProperty: true }))
    return { panel: findBox('.hero-panel').toJSON(), onTop, isShown }
  }
  async function look() {
    const views = []
    for (const width of [320, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      views.push(await page.evaluate(lookAtPage))
    }
    return views
  }

  test('covers the words, and leaves the panel in its place at a key, wheel or touch', async () => {
    for (const [path, interrupt] of [
      ['/', () => page.keyboard.press('Shift')],
      ['/health-safety', () => page.mouse.wheel(0, 10)],
      ['/test-404', () => page.evaluate(() => void dispatchEvent(new Event('touchmove')))],
    ] as const) {
      await page.goto(site.url + path)
      await page.waitForFunction(hasFonts)
      const before = await look()
      // The panel is in sight, but a press there ends the splash and does nothing else: it shows no name like that of a link.
      for (const { onTop, isShown } of before)
        expect([onTop, isShown]).toEqual([['.splash'], false])
      await interrupt()
      await splash().waitFor({ state: 'detached' })
      await page.evaluate(() => window.scrollTo(0, 0))
      const onTop = ['.hero-panel', 'h1', '.logo']
      const after = before.map(({ panel }) => ({ panel, onTop, isShown: path !== '/test-404' }))
      expect(await look()).toEqual(after)
    }
  })

  test('a click that ends it does nothing else, nor does a second one', async () => {
    await page.setViewportSize(PHONE)
    await page.goto(site.url)
    const link = page.locator('main .button').first()
    await tapTwice(link, () => splash().waitFor({ state: 'detached' }))
    expect(page.url()).toBe(`${site.url}/`)
    await link.click()
    await page.waitForURL('**/contact')
  })

  test('a key ends it also beside an endless animation of an extension', async () => {
    await page.goto(site.url)
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('@keyframes endless {} html { animation: endless 1s infinite }')
      document.adoptedStyleSheets = [sheet]
    })
    await page.keyboard.press('Shift')
    await splash().waitFor({ state: 'detached' })
  })

  test('a key that was pressed before any script had come ends it', async () => {
    const release = await holdBack('**/assets/*.js')
    await page.goto(site.url, { waitUntil: 'commit' })
    await page.locator('.footer').waitFor()
    await page.keyboard.press('Tab')
    release()
    await splash().waitFor({ state: 'detached' })
  })
})

describe('the banner', () => {
  beforeEach(() => revisit())

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
    await opener().click()
    await page.evaluate(() => void Object.assign(Storage.prototype, { setItem: null }))
    await choose(1 - index)
    expect(await consent()).toEqual([null, second])
  })

  test('the banner explains its categories; closing it stores nothing and lasts for the document', async () => {
    await open(page, site.url)
    await banner().locator('summary').click()
    expect(await banner().locator('dt:visible').count()).toBe(fr.privacy.banner.categories.length)
    await banner().locator('.close').click()
    await banner().waitFor({ state: 'detached' })
    expect(await consent()).toEqual([null, null])
    await follow('/services')
    await page.waitForURL('**/services')
    expect(await banner().count()).toBe(0)
    await open(page, site.url)
    await banner().waitFor()
  })

  test('a choice in another tab, or before a return by the Back button, closes it; another language does not', async () => {
    await open(page, site.url)
    await banner().waitFor()
    await page.evaluate(() => {
      localStorage.setItem('cookie-consent', 'accepted')
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    })
    await banner().waitFor({ state: 'detached' })
    await opener().click()
    const tab = await context.newPage()
    await tab.goto(`${site.url}/robots.txt`)
    await tab.evaluate(() => localStorage.setItem('rg-language', 'en'))
    expect(await banner().count()).toBe(1)
    await tab.evaluate(() => localStorage.setItem('cookie-consent', 'necessary-only'))
    await banner().waitFor({ state: 'detached' })
  })

  test('a blocker that removes it disturbs neither the page nor the button in the footer', async () => {
    await open(page, site.url)
    for (const _ of ['first', 'again']) {
      await banner().waitFor()
      await banner().evaluate((blocked) => blocked.remove())
      await opener().click()
    }
    await banner().waitFor()
    await toggleTo('en')
    expect(await page.locator('h1').textContent()).toBe(en.headlines.home)
    expect(noise).toEqual([])
  })

  test('opened from the footer, it takes the focus and returns it, though the click gave the button none', async () => {
    await openWithoutBanner(page, site.url)
    // Imitate Safari, where a click does not focus a button.
    await page.evaluate(() => addEventListener('mousedown', (event) => event.preventDefault()))
    const hasFocus = (element: Locator) =>
      element.evaluate((each) => each === document.activeElement)
    await opener().click()
    await banner().waitFor()
    expect(await hasFocus(banner())).toBe(true)
    await banner().locator('.close').click()
    expect(await hasFocus(opener())).toBe(true)
  })

  test('late scripts open it below the field in which the visitor types', async () => {
    const release = await holdBack('**/assets/hydrate-*.js')
    await page.goto(`${site.url}/contact`, { waitUntil: 'commit' })
    const field = page.locator('#message')
    await field.pressSequentially('Bonjour')
    await field.evaluate((each) => each.scrollIntoView({ block: 'end' }))
    release()
    await banner().waitFor()
    const { y: top = 0 } = (await banner().boundingBox()) ?? {}
    const { y = 0, height = 0 } = (await field.boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(top)
    expect(await field.inputValue()).toBe('Bonjour')
  })

  test('hidden by a blocker, it leaves no room', async () => {
    await open(page, site.url)
    const waitForRoom = (isWanted: boolean) =>
      page.waitForFunction((isLarge) => {
        const { scrollPaddingBlockEnd } = getComputedStyle(document.documentElement)
        return Number.parseFloat(scrollPaddingBlockEnd) > 40 === isLarge
      }, isWanted)
    await banner().waitFor()
    await waitForRoom(true)
    await banner().evaluate((each) => each.style.setProperty('display', 'none'))
    await waitForRoom(false)
  })

  test('the focus in it does not scroll the page', async () => {
    await open(page, site.url)
    await banner().waitFor()
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      for (const part of ['a', 'summary', '.button', '.close']) {
        await page.evaluate(() => window.scrollTo(0, 300))
        await banner().locator(part).first().focus()
        expect([width, part, await page.evaluate(() => window.scrollY)]).toEqual([width, part, 300])
      }
    }
  })
})

describe('one press is one act', () => {
  beforeEach(async () => {
    await revisit({ width: 768, height: 800 })
    await openWithoutBanner(page, `${site.url}/contact`)
  })

  /** The first keydown and 19 repeats: an even number, so that a toggle would not stay where it went. */
  async function holdEnter(control: Locator): Promise<void> {
    await control.focus()
    for (let count = 0; count < 20; count++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
  }

  test('the second click of a double click does not reach the banner that the first one has opened', async () => {
    await opener().dblclick()
    await banner().waitFor()
    expect(await consent()).toEqual([null, 'necessary-only'])
    await page.locator('.toggle').dblclick()
    await titled(en.contact)
  })

  test('the second click of a hand that trembles does not reach it either', async () => {
    await opener().scrollIntoViewIfNeeded()
    const { x = 0, y = 0 } = (await opener().boundingBox()) ?? {}
    await page.mouse.click(x + 20, y + 10)
    await page.mouse.click(x + 26, y + 10)
    await banner().waitFor()
    expect(await consent()).toEqual([null, 'necessary-only'])
  })

  test('the second tap of a finger, which a phone does not count, does nothing either', async () => {
    await tapTwice(page.locator('.toggle'), () => titled(en.contact))
    expect(await page.evaluate(() => localStorage.getItem('rg-language'))).toBe('en')
  })

  test('the second click on the link to a faulty field leaves the focus in that field', async () => {
    await submitLater()
    await summary().locator('a[href="#lastName"]').dblclick()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('lastName')
  })

  test('a text is still selected by a double click, and its menu opens and closes', async () => {
    await page.locator('h1').dblclick()
    expect(await page.evaluate(() => String(getSelection()).trim())).toBeTruthy()
    for (const _ of ['opened', 'closed']) await page.locator('.menu summary').click()
    expect(await page.locator('.nav').isVisible()).toBe(false)
  })

  test('a held Enter chooses once, though the focus moves to the button that opens the banner', async () => {
    await opener().click()
    await holdEnter(banner().locator('.actions button').first())
    await banner().waitFor({ state: 'detached' })
    expect(await consent()).toEqual(['accepted', 'accepted'])
    await holdEnter(page.locator('.toggle'))
    await titled(en.contact)
  })

  test('a held Enter makes lines in a message, but not where it has led to the message', async () => {
    await fillForm({ ...TYPED, message: 'court' })
    await submitLater()
    await holdEnter(summary().locator('a[href="#message"]'))
    await page.locator('#message:focus').waitFor()
    expect(await readForm()).toMatchObject({ message: 'court' })
    await fillForm({ message: '' })
    await holdEnter(page.locator('#message'))
    expect(await page.locator('#message').inputValue()).toBe('\n'.repeat(20))
  })
})

describe('navigation', () => {
  beforeEach(() => revisit())

  const waitForPart = (part: string) =>
    page.waitForFunction((id) => {
      const { top } = document.getElementById(id)?.getBoundingClientRect() ?? { top: 1e9 }
      return top >= -1 && top < window.innerHeight / 2
    }, part)

  test('the call to action of the services reaches the contact part of the home page', async () => {
    await open(page, `${site.url}/services`)
    await page.locator('.call-to-action a').click()
    await page.waitForURL('**/#contact')
    await waitForPart('contact')
    expect(await page.locator('#contact form').count()).toBe(0)
  })

  test('the hero of each sector chooses it in the form, in place of an earlier choice', async () => {
    await openWithoutBanner(page, `${site.url}/contact`)
    await fillForm({ firstName: 'Zoé', service: SERVICE_IDS.at(-1) })
    for (const sector of SECTORS) {
      await follow('/secteurs-activite')
      await page.locator(`.sector-tile[data-sector=${sector}] a`).click()
      const current = page.locator('.nav [aria-current]').first()
      expect(await current.getAttribute('href')).toBe('/secteurs-activite')
      await page.locator('.hero .button').click()
      await page.locator('#service').waitFor()
      expect(await readForm()).toMatchObject({ firstName: 'Zoé', service: SERVICES[sector] })
    }
  })

  test('going back to the form keeps the choice that replaced the one of the link', async () => {
    await openWithoutBanner(page, `${site.url}/health-safety`)
    await page.locator('.hero .button').click()
    await fillForm({ service: 'francophone' })
    await follow('/services')
    await page.locator('.service-card').first().waitFor()
    await page.goBack()
    await page.locator('#service').waitFor()
    expect(await readForm()).toMatchObject({ service: 'francophone' })
  })

  test('the hero of the contact page leads to the form', async () => {
    await openWithoutBanner(page, `${site.url}/contact`)
    await page.locator('.emergency + .button').click()
    await waitForPart('request')
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

  test('links with a modifier open a new tab, on the error pages too', async () => {
    for (const [path, link] of [
      ['/test-500', 'main a[href="/contact"]'],
      ['/test-404', '.fallen'],
    ] as const) {
      await open(page, site.url + path)
      const tab = context.waitForEvent('page')
      await page.locator(link).click({ modifiers: ['ControlOrMeta'] })
      await (await tab).close()
      expect(page.url()).toBe(site.url + path)
    }
    await page.locator('.fallen').click()
    await page.locator('.card').first().waitFor()
  })

  test('Back leads to the place before a link within the form’s page, and links to faulty fields leave no entry', async () => {
    await page.setViewportSize({ width: 1280, height: 500 })
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
    expect(await page.locator('h1').textContent()).toBe(en.headlines['public-safety'])
    await addScript(() => Reflect.deleteProperty(window, 'print'))
    await open(page, `${site.url}/public-safety`)
    await line.waitFor({ state: 'detached' })
  })
})

describe('errors of scripts', () => {
  beforeEach(() => revisit())

  test('the test page logs the answers to its calls, and a thrown error shows the server error page', async () => {
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
    const report = page.waitForResponse('**/api/browser-errors')
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
    const report = page.waitForResponse('**/api/browser-errors')
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

  const failScript = () =>
    page.evaluate(() => {
      const filename = `${location.origin}/assets/x.js`
      window.dispatchEvent(new ErrorEvent('error', { filename, message: 'Error: x' }))
    })

  test('a page whose script failed is shown again after going back to it', async () => {
    await open(page, `${site.url}/services?lang=en`)
    await toggleTo('fr')
    await page.evaluate(() => window.scrollTo(0, 900))
    await failScript()
    const hasText = fr.errors.serverError.meta.title
    await page.locator('[role=status]', { hasText }).waitFor({ state: 'attached' })
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1' && scrollY === 0)
    await page.locator('.footer a[href="/contact"]').click()
    await page.locator('.contact-form').waitFor()
    await page.goBack()
    await serviceCard().waitFor()
  })

  test('an error page stays when its language changes', async () => {
    await open(page, `${site.url}/%ff?lang=en`)
    await toggleTo('fr')
    await page.waitForURL(`${site.url}/%ff`)
    expect(await page.locator('.eyebrow').textContent()).toBe('400')
    for (const path of ['/services', '/privacy-policy']) {
      await open(page, `${site.url}${path}?lang=en`)
      await failScript()
      await serverError(en.errors.serverError.headline).waitFor()
      await toggleTo('fr')
      await page.waitForURL((url) => url.search === '')
      await serverError(fr.errors.serverError.headline).waitFor()
    }
  })

  test('a link to the page whose script failed shows it again, with the typed text; a link within the page does not', async () => {
    await open(page, `${site.url}/contact`)
    await fillForm()
    await failScript()
    await serverError(fr.errors.serverError.headline).waitFor()
    await page.locator('.skip-link').first().press('Enter')
    await page.waitForURL('**/contact#main')
    expect(await submit().count()).toBe(0)
    await page.locator('main .secondary[href="/contact"]').click()
    await submit().waitFor()
    expect(await readForm()).toEqual(TYPED)
  })
})
