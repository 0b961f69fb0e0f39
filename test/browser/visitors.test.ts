import type { BrowserContextOptions } from 'playwright-core'
import { company } from '../../shared/content/company.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { getPath, getPrivacyPage } from '../../shared/pages.ts'
import { SECTORS } from '../../shared/sectors.ts'
import { open, openWithoutBanner } from '../../tools/harness/browser.ts'
import { page, setUpVisits, site, visit } from '../support/visits.ts'
import { banner, follow, PATHS, STILL } from './steps.ts'

setUpVisits()

/** The firm may have no account at a network. */
const LINKS = Object.values(company.links).filter(Boolean)

const visitByPhone = (options: BrowserContextOptions) =>
  visit({ viewport: { width: 390, height: 800 }, ...options })

test.each(LANGUAGES)('%s: heading, links and menu without JavaScript', async (language) => {
  await visitByPhone({ javaScriptEnabled: false })
  for (const path of PATHS) {
    await page.goto(`${site.url}${path}?lang=${language}`)
    expect(await page.locator('h1').isVisible()).toBe(true)
    expect(await page.locator('.splash').isVisible()).toBe(false)
    expect(await banner().count()).toBe(0)
    expect(await page.locator('.nav').isVisible()).toBe(false)
    await page.locator('.menu summary').click()
    expect(await page.locator('.nav a:visible').count()).toBe(4 + SECTORS.length)
    expect(await page.locator('.footer a:visible').count()).toBeGreaterThan(3 + LINKS.length)
    expect(await page.locator('.needs-script:visible').count()).toBe(0)
  }
})

test('Escape closes the menu, and the focus returns to its button; another page closes it too', async () => {
  await visitByPhone({})
  await openWithoutBanner(page, site.url)
  const menu = page.locator('.menu summary')
  await menu.press('Enter')
  await page.locator('.nav a').nth(1).press('Escape')
  await page.locator('.nav').waitFor({ state: 'hidden' })
  expect(await menu.evaluate((each) => each === document.activeElement)).toBe(true)
  await menu.press('Enter')
  await page.locator('.toggle').press('Escape')
  await page.locator('.nav').waitFor({ state: 'hidden' })
  await menu.press('Enter')
  await follow('/public-safety')
  await page.locator('.offering').first().waitFor()
  expect(await page.locator('.nav').isVisible()).toBe(false)
})

test('the open menu covers the page, so it closes when the visitor clicks or moves the focus there', async () => {
  await visitByPhone({})
  await openWithoutBanner(page, site.url)
  const covered = page.locator('.hero-panel a').first()
  const isCovered = () =>
    covered.evaluate((each) => {
      const { x, y } = each.getBoundingClientRect()
      return !each.contains(document.elementFromPoint(x + 9, y + 9))
    })
  // Below the menu, so that this link is only dimmed.
  const dimmed = page.locator('main .button').nth(1)
  const leave = [() => dimmed.click({ force: true }), () => covered.focus()]
  for (const step of leave) {
    await page.locator('.menu summary').click()
    expect(await isCovered()).toBe(true)
    await step()
    await page.locator('.nav').waitFor({ state: 'hidden' })
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await isCovered()).toBe(false)
  }
})

test('nothing moves for visitors who prefer reduced motion', async () => {
  await visitByPhone({ reducedMotion: 'reduce' })
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

/** Styles that the first paint does not need come in a file. */
const waitForStyles = () =>
  page.waitForFunction(() => [...document.styleSheets].some(({ href }) => href))

test('in forced colours the mark and the current page are visible', async () => {
  await visitByPhone({ forcedColors: 'active', viewport: { width: 1280, height: 800 } })
  await openWithoutBanner(page, `${site.url}/services`)
  await waitForStyles()
  const colours = await page.evaluate(() => {
    const style = (selector: string) =>
      getComputedStyle(document.querySelector(selector) ?? document.body)
    return {
      ground: style('body').backgroundColor,
      mark: style('.header .mark').fill,
      current: style('.nav [aria-current]').borderBlockEndColor,
      other: style('.nav a:not([aria-current])').borderBlockEndColor,
      button: style('.call-to-action .button').borderStyle,
    }
  })
  expect(colours.mark).not.toBe(colours.ground)
  expect(colours.current).not.toBe(colours.ground)
  expect(colours.other).toBe(colours.ground)
  expect(colours.button).not.toBe('none')
})

/** Each sign that the page shows, with its drawing and its size in px. */
const listSigns = (part: string) =>
  page.locator(`${part} .sign:visible`).evaluateAll((signs) =>
    signs.map((sign) => {
      const href = sign.querySelector('use')?.getAttribute('href') ?? ''
      const { width, height } = sign.getBoundingClientRect()
      const d = document.querySelector(`${href} path`)?.getAttribute('d')
      const link = sign.closest('a') ?? sign.parentElement?.querySelector('a')
      const { fill } = getComputedStyle(sign)
      return { href, d, opens: link?.getAttribute('href'), width, height, fill }
    }),
  )

test.each([
  { path: '/', part: '.hero-panel', size: 32 }, // beside its name
  { path: '/', part: '.nav', size: 24 },
  { path: '/secteurs-activite', part: '.sector-tiles', size: 48 }, // beside its name
])('$path has a sign for each sector, which opens it, in $part', async ({ path, part, size }) => {
  await visitByPhone({})
  await openWithoutBanner(page, site.url + path)
  await page.locator('.menu summary').click()
  const signs = await listSigns(part)
  expect(signs.map(({ href }) => href)).toEqual(SECTORS.map((sector) => `#sign-${sector}`))
  expect(signs.map(({ opens }) => opens)).toEqual(SECTORS.map(getPath))
  expect(new Set(signs.map(({ d }) => d ?? '')).size).toBe(SECTORS.length)
  // On the dark tiles of the panel, all signs have one colour.
  if (part !== '.hero-panel')
    expect(new Set(signs.map(({ fill }) => fill)).size).toBe(SECTORS.length)
  for (const { width, height } of signs)
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(size)
})

test.each(SECTORS)(
  '%s has its sign at its head, on the page also in forced colours',
  async (sector) => {
    await visitByPhone({ forcedColors: 'active' })
    await openWithoutBanner(page, site.url + getPath(sector))
    await waitForStyles()
    const [sign] = await listSigns('.hero-panel')
    expect(sign?.href).toBe(`#sign-${sector}`)
    const colours = await page.locator('.hero-panel .sign').evaluate((shown) => {
      const panel = shown.closest('.hero-panel') ?? shown
      return {
        sign: getComputedStyle(shown).fill,
        text: getComputedStyle(document.body).color,
        ground: getComputedStyle(panel).backgroundColor,
        page: getComputedStyle(document.body).backgroundColor,
      }
    })
    expect(colours.sign).toBe(colours.text)
    expect(colours.ground).toBe(colours.page)
    expect(await page.locator('.petals:visible').count()).toBe(0)
  },
)

test('each offering of each sector has its whole sheet, without words, from two columns on', async () => {
  await visitByPhone({})
  for (const sector of SECTORS) {
    await openWithoutBanner(page, site.url + getPath(sector))
    const sheets = page.locator('.offering .sheet:visible')
    for (const width of [768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await sheets.count()).toBe(await page.locator('.offering').count())
      const isWhole = (sheet: Element) => {
        const { width, height, bottom } = sheet.getBoundingClientRect()
        return height > width && bottom < (sheet.parentElement?.getBoundingClientRect().bottom ?? 0)
      }
      for (const sheet of await sheets.all()) expect(await sheet.evaluate(isWhole)).toBe(true)
    }
    expect((await sheets.allTextContents()).join('')).toBe('')
  }
})

test('the print style shows text and addresses, no controls, and never the dark scheme', async () => {
  await visitByPhone({ viewport: { width: 794, height: 1123 } })
  for (const path of ['/', '/contact', '/politique-confidentialite']) {
    await open(page, site.url + path)
    await banner().waitFor()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const shown = page.locator(
      ':is(.menu, .nav, .language-toggle, .hero-panel, .cookie-banner, .splash, .toasts, .button, form):visible',
    )
    expect(await shown.count()).toBe(0)
    expect(await page.locator('h1').isVisible()).toBe(true)
    const address = await page
      .locator('.footer-links a')
      .first()
      .evaluate((link) => getComputedStyle(link, '::after').content)
    expect(address).toContain('https://')
    const own = await page
      .locator('link[rel=canonical]')
      .evaluate(
        (link) => `${getComputedStyle(link).display} ${getComputedStyle(link, '::after').content}`,
      )
    expect(own).toMatch(new RegExp(`^block " ?http.*${path}"$`))
    const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    expect(scheme).toBe('light')
    await page.emulateMedia({ media: 'screen' })
  }
})

async function countSheets(format: string): Promise<number> {
  const pdf = await page.pdf({ format })
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

const cases = LANGUAGES.flatMap((language) => [
  ...SECTORS.map((sector) => ({ language, path: getPath(sector), most: 1 })),
  { language, path: getPath('contact'), most: 1 },
  { language, path: `${getPath('contact')}?service=animal-aid`, most: 1 },
  { language, path: getPath(getPrivacyPage(language)), most: 8 },
])

test.each(cases)('$path, $language: prints on $most sheet(s) of both sizes', async (row) => {
  const { path, language, most } = row
  const address = new URL(path, site.url)
  address.searchParams.set('lang', language)
  await visit(STILL)
  await open(page, address.href)
  await page.waitForLoadState('networkidle')
  for (const format of ['Letter', 'A4']) expect(await countSheets(format)).toBeLessThanOrEqual(most)
})

test('the line at the call to action opens the dialog of the browser', async () => {
  await visit(STILL)
  await open(page, site.url + getPath('public-safety'))
  await page.waitForLoadState('networkidle')
  const isOpened = page.evaluate(
    () =>
      new Promise<void>((done) => {
        window.print = done
      }),
  )
  await page.locator('.call-to-action .link-button').click()
  await isOpened
})
