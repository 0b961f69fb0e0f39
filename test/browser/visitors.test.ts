import { company } from '../../shared/content/company.ts'
import { type Language, otherLanguage } from '../../shared/language.ts'
import { getPath } from '../../shared/pages.ts'
import { SECTORS } from '../../shared/sectors.ts'
import { openWithoutBanner } from '../../tools/harness/browser.ts'
import { page, revisit, setUpVisits, site, visit } from '../support/visits.ts'
import { banner, getLanguage, listPaths, STILL, tapTwice, toggleTo } from './steps.ts'

setUpVisits()

const PHONE = { width: 390, height: 800 }

/** Opens another page through one of its links, in the menu or elsewhere, without loading a document. */
async function goTo(path: string): Promise<void> {
  await page.locator(`a[href="${path}"]`).first().dispatchEvent('click')
  await page.waitForFunction((pathname) => location.pathname === pathname, path)
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
}

/** A property of an element's style, or of the style of a part such as `::after`. */
const read = (selector: string, property: string, part?: string) =>
  page
    .locator(selector)
    .first()
    .evaluate(
      (each, [name = '', pseudo]) => getComputedStyle(each, pseudo).getPropertyValue(name),
      [property, part],
    )

test('every page has its heading, links and menu without JavaScript', async () => {
  await visit({ ...STILL, viewport: PHONE, javaScriptEnabled: false })
  /** The firm may have no account at a network. */
  const links = Object.values(company.links).filter(Boolean)
  for (const path of listPaths('fr')) {
    await page.goto(site.url + path)
    expect(await page.locator('h1').isVisible()).toBe(true)
    const absent = page.locator(':is(.splash, .cookie-banner, .nav, .needs-script):visible')
    expect([path, await absent.count()]).toEqual([path, 0])
    await page.locator('.menu summary').click()
    // Four pages, the sectors, and the telephone.
    expect(await page.locator('.nav a:visible').count()).toBe(5 + SECTORS.length)
    expect(await page.locator('.footer a:visible').count()).toBeGreaterThan(3 + links.length)
  }
})

describe('the menu of a phone', () => {
  beforeAll(async () => {
    await revisit(PHONE)
    await openWithoutBanner(page, site.url)
  })
  const menu = () => page.locator('.menu summary')
  const waitUntilClosed = () => page.locator('.nav').waitFor({ state: 'hidden' })

  test('covers the page, so it closes when the visitor clicks or moves the focus there', async () => {
    const covered = page.locator('.hero-panel a').first()
    const isCovered = () =>
      covered.evaluate((each) => {
        const { x, y } = each.getBoundingClientRect()
        return !each.contains(document.elementFromPoint(x + 9, y + 9))
      })
    // Below the menu, so that this link is only dimmed.
    const dimmed = page.locator('main .button').nth(1)
    for (const leave of [() => tapTwice(dimmed, waitUntilClosed), () => covered.focus()]) {
      await menu().click()
      expect(await isCovered()).toBe(true)
      await leave()
      await waitUntilClosed()
      expect(new URL(page.url()).pathname).toBe('/')
      expect(await isCovered()).toBe(false)
    }
  })

  test('closes with Escape, and the focus returns to its button; another page closes it too', async () => {
    await menu().press('Enter')
    await page.locator('.toggle').press('Escape')
    await waitUntilClosed()
    await menu().press('Enter')
    await page.locator('.nav a').nth(1).press('Escape')
    await waitUntilClosed()
    await page.locator('.menu summary:focus').waitFor()
    await menu().press('Enter')
    await page.locator('.nav a[href="/public-safety"]').click()
    await page.locator('.offering').first().waitFor()
    expect(await page.locator('.nav').isVisible()).toBe(false)
  })
})

test('nothing moves for visitors who prefer reduced motion', async () => {
  await revisit(PHONE)
  await page.goto(site.url)
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes())
        .filter((frame) => 'transform' in frame || 'rotate' in frame || 'translate' in frame),
    )
  const whileSplash = await moving()
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('Tab')
  await banner().waitFor()
  await page.locator('.menu summary').click()
  expect([...whileSplash, ...(await moving())]).toEqual([])
})

test('forced colours show the mark, the current page, the buttons and the sign of each sector', async () => {
  await revisit()
  await page.emulateMedia({ forcedColors: 'active' })
  await openWithoutBanner(page, `${site.url}/services`)
  // Styles that the first paint does not need come in a file.
  await page.waitForFunction(() => [...document.styleSheets].some(({ href }) => href))
  const ground = await read('body', 'background-color')
  const text = await read('body', 'color')
  expect(await read('.header .mark', 'fill')).not.toBe(ground)
  expect(await read('.nav [aria-current]', 'border-block-end-color')).not.toBe(ground)
  expect(await read('.nav a:not([aria-current])', 'border-block-end-color')).toBe(ground)
  expect(await read('.call-to-action .button', 'border-style')).not.toBe('none')
  for (const sector of SECTORS) {
    await goTo(getPath(sector))
    const drawing = page.locator('.hero-panel .sign:visible use')
    expect(await drawing.getAttribute('href')).toBe(`#sign-${sector}`)
    expect(await read('.hero-panel .sign', 'fill')).toBe(text)
    expect(await read('.hero-panel', 'background-color')).toBe(ground)
    expect(await page.locator('.petals:visible').count()).toBe(0)
  }
})

test('the sign of each sector is its own, large enough, and opens its page', async () => {
  await revisit(PHONE)
  await openWithoutBanner(page, site.url)
  const expectSigns = async (part: string, minSize: number) => {
    const signs = await page.locator(`${part} .sign:visible`).evaluateAll((all) =>
      all.map((sign) => {
        const { width, height } = sign.getBoundingClientRect()
        const link = sign.closest('a') ?? sign.parentElement?.querySelector('a')
        const href = sign.querySelector('use')?.getAttribute('href')
        const drawing = document.querySelector(`symbol${href}`) && href
        return { drawing, opens: link?.getAttribute('href'), size: Math.min(width, height) }
      }),
    )
    expect(signs.map(({ drawing }) => drawing)).toEqual(SECTORS.map((id) => `#sign-${id}`))
    expect(signs.map(({ opens }) => opens)).toEqual(SECTORS.map(getPath))
    expect(Math.min(...signs.map(({ size }) => size))).toBeGreaterThanOrEqual(minSize)
  }
  await expectSigns('.hero-panel', 32)
  await page.locator('.menu summary').click()
  await expectSigns('.nav', 24)
  await goTo('/secteurs-activite')
  await expectSigns('.sector-tiles', 48)
})

describe('print', () => {
  beforeAll(async () => {
    await revisit({ width: 794, height: 1123 })
    await page.goto(site.url)
    await page.keyboard.press('Shift')
    await banner().waitFor()
    await page.waitForLoadState('networkidle')
  })

  async function countSheets(format: string): Promise<number> {
    const pdf = await page.pdf({ format })
    return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
  }

  test('shows text and addresses, no controls, and never the dark scheme', async () => {
    for (const path of ['/', '/contact', '/politique-confidentialite']) {
      await page.emulateMedia({ media: null })
      if (path !== '/') await goTo(path)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      const controls =
        '.menu, .nav, .language-toggle, .hero-panel, .cookie-banner, .splash, .toasts, .button, form'
      expect(await page.locator(`:is(${controls}):visible`).count()).toBe(0)
      expect(await page.locator('h1').isVisible()).toBe(true)
      expect(await read('.footer-links a', 'content', '::after')).toContain('https://')
      expect(await read('link[rel=canonical]', 'display')).toBe('block')
      const address = new RegExp(`^" ?http.*${path}"$`)
      expect(await read('link[rel=canonical]', 'content', '::after')).toMatch(address)
      expect(await read('html', 'color-scheme')).toBe('light')
    }
    await page.emulateMedia({ media: null, colorScheme: null })
  })

  test('needs one sheet for a sector, and for the contact page, in both sizes and languages', async () => {
    const listSheets = async () => [await countSheets('Letter'), await countSheets('A4')]
    for (const path of [...SECTORS.map(getPath), getPath('contact')]) {
      await goTo(path)
      for (const _ of ['one language', 'the other']) {
        expect([path, ...(await listSheets())]).toEqual([path, 1, 1])
        await toggleTo(otherLanguage((await getLanguage()) as Language))
      }
    }
    await page.locator('#service').selectOption('animal-aid')
    expect(await listSheets()).toEqual([1, 1])
    await goTo('/politique-confidentialite')
    expect(Math.max(...(await listSheets()))).toBeLessThanOrEqual(8)
  })

  test('is offered by a line at the call to action, which opens the dialog of the browser', async () => {
    await goTo(getPath('public-safety'))
    const isOpened = page.evaluate(() => new Promise<void>((done) => (window.print = done)))
    await page.locator('.call-to-action .link-button').click()
    await isOpened
  })

  test('leaves out a splash that is still up', async () => {
    // Without its scripts, the page keeps the splash.
    await page.route('**/assets/*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    )
    await page.emulateMedia({ media: 'print' })
    await page.goto(site.url)
    expect(await page.locator('.splash').count()).toBe(1)
    expect(await page.locator('.splash:visible').count()).toBe(0)
  })
})
