import type { BrowserContextOptions } from 'playwright-core'
import { LANGUAGES } from '../../shared/language.ts'
import { open, openWithoutBanner } from '../../tools/harness/browser.ts'
import { page, setUpVisits, site, visit } from '../support/visits.ts'
import { banner, PATHS } from './steps.ts'

setUpVisits()

const visitByPhone = (options: BrowserContextOptions) =>
  visit({ viewport: { width: 390, height: 800 }, ...options })

test.each(LANGUAGES)(
  '%s, without JavaScript: every page shows its heading, its links and the menu, without splash and banner',
  async (language) => {
    await visitByPhone({ javaScriptEnabled: false })
    for (const path of PATHS) {
      await page.goto(`${site.url}${path}?lang=${language}`)
      expect(await page.locator('h1').isVisible()).toBe(true)
      expect(await page.locator('.splash').isVisible()).toBe(false)
      expect(await banner().count()).toBe(0)
      expect(await page.locator('.nav').isVisible()).toBe(false)
      await page.locator('.menu summary').click()
      expect(await page.locator('.nav a:visible').count()).toBe(4)
      expect(await page.locator('.footer a:visible').count()).toBeGreaterThan(6)
      expect(await page.locator('.needs-script:visible').count()).toBe(0)
    }
  },
)

test('Escape closes the menu, and the focus returns to its button; another page closes it too', async () => {
  await visitByPhone({})
  await openWithoutBanner(page, site.url)
  const menu = page.locator('.menu summary')
  await menu.press('Enter')
  await page.locator('.nav a').nth(1).press('Escape')
  await page.locator('.nav').waitFor({ state: 'hidden' })
  expect(await menu.evaluate((each) => each === document.activeElement)).toBe(true)
  await menu.press('Enter')
  await page.locator('.sector-card a').first().click()
  await page.locator('.offering').first().waitFor()
  expect(await page.locator('.nav').isVisible()).toBe(false)
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

test('in forced colours the mark and the current page are visible', async () => {
  await visitByPhone({ forcedColors: 'active', viewport: { width: 1280, height: 800 } })
  await openWithoutBanner(page, `${site.url}/services`)
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

test('the print style shows text and addresses, and no controls', async () => {
  await visitByPhone({ viewport: { width: 794, height: 1123 } })
  for (const path of ['/', '/contact', '/politique-confidentialite']) {
    await open(page, site.url + path)
    await banner().waitFor()
    await page.emulateMedia({ media: 'print' })
    const shown = page.locator(
      ':is(.menu, .nav, .language-toggle, .petal-panel, .cookie-banner, .splash, .toasts, .button, form):visible',
    )
    expect(await shown.count()).toBe(0)
    expect(await page.locator('h1').isVisible()).toBe(true)
    const address = await page
      .locator('.footer-links a')
      .first()
      .evaluate((link) => getComputedStyle(link, '::after').content)
    expect(address).toContain('https://')
    await page.emulateMedia({ media: 'screen' })
  }
})
