import { LANGUAGES } from '../../shared/language.ts'
import { findViolations, hasFonts, type Page, watch } from '../../tools/harness/browser.ts'
import { browser, setUpVisits, site, watchReports } from '../support/visits.ts'
import { weigh } from '../support/weight.ts'
import { expectWalk, listPaths, neverIdle, STILL, setScheme } from './steps.ts'

const FONTS = ['Bricolage Grotesque', 'Public Sans']
const DOCUMENT_FAILED = /Failed to load resource: the server responded with a status of (404|500)/

/** Maximum size of the scripts and texts that a page needs before it is idle, in bytes, with brotli. */
const MAX_SCRIPT_BYTES = 112_000

const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }

/** Saves time: both languages have the same markup, so each check runs in only one language at each size. */
const SHARES = {
  // `withDetails`: the banner's details are open. `checkedAt`: axe checks the page at this width in px.
  fr: { withDetails: PHONE, checkedAt: 1440 },
  en: { withDetails: WIDE, checkedAt: 320 },
}

/** The font families that the browser uses on a page. */
async function findFamilies(page: Page): Promise<string[]> {
  await page.waitForFunction(hasFonts)
  const tools = await page.context().newCDPSession(page)
  await tools.send('DOM.enable')
  await tools.send('CSS.enable')
  const { root } = await tools.send('DOM.getDocument')
  const { nodeIds } = await tools.send('DOM.querySelectorAll', {
    nodeId: root.nodeId,
    selector: 'body :not(svg, svg *, template, script, option, select)',
  })
  const families = new Set<string>()
  const note = async (nodeId: number) => {
    // The node may have disappeared, for instance with a tooltip that closed.
    const found = await tools.send('CSS.getPlatformFontsForNode', { nodeId }).catch(() => undefined)
    for (const { familyName } of found?.fonts ?? []) families.add(familyName)
  }
  await Promise.all(nodeIds.map(note))
  await tools.detach()
  return [...families]
}

setUpVisits()

// Each page is loaded once; no test needs another one before it.
describe.each(LANGUAGES)('%s', (language) => {
  const { withDetails, checkedAt } = SHARES[language]
  let page: Page
  let noise: string[]
  let reports: unknown[]
  let scripts: Set<string>

  beforeAll(async () => {
    page = await browser.newPage(STILL)
    noise = watch(page)
    reports = watchReports(page)
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script')
        scripts.add(new URL(response.url()).pathname)
    })
    // The budget is for what a page loads before it is idle.
    await page.addInitScript(neverIdle)
    // Pause the splash; otherwise it may end by itself on a slow machine, before the test presses Tab.
    await page.addInitScript(() =>
      document.addEventListener('DOMContentLoaded', () => {
        const splash = document.querySelector('.splash')
        for (const animation of splash?.getAnimations() ?? []) animation.pause()
      }),
    )
  })
  afterAll(() => page.context().close())

  const setDetails = (isOpen: boolean) =>
    page.locator('.cookie-details').evaluate((details, open) => {
      if (details instanceof HTMLDetailsElement) details.open = open
    }, isOpen)

  async function walkAt(size: typeof WIDE): Promise<void> {
    await setDetails(size === withDetails)
    await expectWalk(page)
  }

  describe.each(listPaths(language))('%s', (path) => {
    beforeAll(async () => {
      scripts = new Set()
      await page.setViewportSize(WIDE)
      await page.goto(`${site.url}${path}?lang=${language}`)
      // A key ends the splash, and the banner appears.
      expect(await page.locator('.splash').count()).toBe(1)
      await page.keyboard.press('Tab')
      await page.locator('.splash').waitFor({ state: 'detached' })
      await page.locator('.cookie-banner').waitFor()
      await page.waitForLoadState('networkidle')
    })

    test('the scripts stay within their budget', () => {
      const bytes = [...scripts].map(weigh).reduce((sum, each) => sum + each, 0)
      expect(bytes).toBeLessThanOrEqual(MAX_SCRIPT_BYTES)
      expect(bytes).toBeGreaterThan(50_000)
    })

    test('Tab reaches everything to the banner', () => walkAt(WIDE))

    test('every section and table has a name or a heading', async () => {
      const nameless = page.locator(
        ':is(section, table):not([aria-label], [aria-labelledby], :has(h1, h2, h3, caption))',
      )
      expect(await nameless.count()).toBe(0)
    })

    test('every character is in the fonts', async () => {
      await setDetails(true)
      const families = await findFamilies(page)
      const foreign = families.filter((name) => !FONTS.some((font) => name.startsWith(font)))
      expect(foreign).toEqual([])
      expect(families.length).toBeGreaterThan(1)
    })

    test(`at ${checkedAt} px it is accessible, in both colour schemes`, async () => {
      // As high as any page, so that the banner covers no control.
      await page.setViewportSize({ width: checkedAt, height: 12_000 })
      expect(await findViolations(page)).toEqual([])
      await setScheme(page, 'dark')
      expect(await findViolations(page)).toEqual([])
      await setScheme(page, 'light')
    })

    test('on a phone Tab reaches everything, with the menu open', async () => {
      await page.setViewportSize(PHONE)
      await page.locator('.menu summary').click()
      await walkAt(PHONE)
    })

    test('nothing was logged on the console or reported', () => {
      expect(noise.splice(0).filter((line) => !DOCUMENT_FAILED.test(line))).toEqual([])
      expect(reports.splice(0)).toEqual([])
    })
  })
})
