import type { Response } from 'playwright-core'
import type { Language } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import { type CDPSession, findViolations, type Page, watch } from '../../tools/harness/browser.ts'
import { startOver, walk } from '../support/keyboard.ts'
import { browser, setUpVisits, site } from '../support/visits.ts'
import { findGrowth, findModules, readWeights, weigh } from '../support/weight.ts'

const FONTS = ['Bricolage Grotesque', 'Public Sans']
/** The skip link, the logo, the toggle, the footer and the banner are on every page. */
const FEWEST_STOPS = 18
const DOCUMENT_FAILED = /Failed to load resource: the server responded with a status of (404|500)/

const { budgets, modules } = readWeights()
export const paths = [...pages.flatMap(({ path }) => path ?? []), '/no-such-page']

const resize = (page: Page, width: number) => page.setViewportSize({ width, height: 800 })

async function expectWalk(page: Page): Promise<void> {
  await startOver(page)
  const { stops, faults } = await walk(page)
  expect(faults).toEqual([])
  expect(stops).toBeGreaterThan(FEWEST_STOPS)
}

const toggleDetails = (page: Page) => page.locator('.cookie-details summary').click()

/** The families in which the browser shows the words of a page. */
async function findFamilies(page: Page, tools: CDPSession): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready)
  await tools.send('DOM.enable')
  await tools.send('CSS.enable')
  const { root } = await tools.send('DOM.getDocument')
  const { nodeIds } = await tools.send('DOM.querySelectorAll', {
    nodeId: root.nodeId,
    selector: 'body :not(svg, svg *, template, script, option, select)',
  })
  const families = new Set<string>()
  const note = async (nodeId: number) => {
    // A tooltip may leave meanwhile; an element that is gone shows no words.
    const found = await tools.send('CSS.getPlatformFontsForNode', { nodeId }).catch(() => undefined)
    for (const { familyName } of found?.fonts ?? []) families.add(familyName)
  }
  await Promise.all(nodeIds.map(note))
  return [...families]
}

/** Sets the distances of WCAG 1.4.12, and lists the boxes whose words do not fit any more. */
function spaceOut(): string[] {
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    element.style.setProperty('line-height', '1.5', 'important')
    element.style.setProperty('letter-spacing', '0.12em', 'important')
    element.style.setProperty('word-spacing', '0.16em', 'important')
    if (element.matches('p')) element.style.setProperty('margin-bottom', '2em', 'important')
  }
  const boxes = document.querySelectorAll<HTMLElement>('main *, header *, footer *')
  return [...boxes]
    .filter((box) => !box.closest('.visually-hidden, .menu, svg, .trap, .skip-link, thead'))
    .filter(({ clientWidth, scrollWidth }) => clientWidth && scrollWidth > clientWidth + 1)
    .map((box) => `${box.className} ${box.textContent}`.slice(0, 80))
}

/** Tests of every page in a language. Each page is loaded once, and each test goes on where the last one ended. */
export function describeEveryPage(language: Language): void {
  setUpVisits()

  describe.each(paths)(`${language} %s`, (path) => {
    let page: Page
    let tools: CDPSession
    let noise: string[]
    const scripts = new Set<string>()
    const widthOf = () => page.evaluate(() => document.documentElement.scrollWidth)

    beforeAll(async () => {
      page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      tools = await page.context().newCDPSession(page)
      noise = watch(page)
      const note = (response: Response) => {
        if (response.request().resourceType() === 'script')
          scripts.add(new URL(response.url()).pathname)
      }
      page.on('response', note)
      // However slow the machine, the splash waits for the key.
      await page.addInitScript(() =>
        document.addEventListener('DOMContentLoaded', () => {
          const splash = document.querySelector('.splash')
          for (const animation of splash?.getAnimations() ?? []) animation.pause()
        }),
      )
      await page.goto(`${site.url}${path}?lang=${language}`)
      await page.waitForLoadState('networkidle')
      page.off('response', note)
    })
    afterAll(() => page.context().close())

    test('a key ends the splash, and Tab reaches everything to the banner', async () => {
      expect(await page.locator('.splash').count()).toBe(1)
      await page.keyboard.press('Tab')
      await page.locator('.splash').waitFor({ state: 'detached' })
      await page.locator('.cookie-banner').waitFor()
      await expectWalk(page)
      await toggleDetails(page)
      await expectWalk(page)
    })

    test('the scripts keep their budget', async () => {
      const budget = budgets[path] ?? budgets['/test-404'] ?? 0
      const bytes = [...scripts].map(weigh).reduce((sum, each) => sum + each, 0)
      const over = Math.max(0, bytes - budget)
      // Names the modules that grew.
      const grown = over > 0 ? findGrowth(findModules([...scripts]), modules) : []
      expect({ over, grown }).toEqual({ over: 0, grown: [] })
      expect(bytes).toBeGreaterThan(50_000)
    })

    test('every character is in the fonts', async () => {
      const families = await findFamilies(page, tools)
      const foreign = families.filter((name) => !FONTS.some((font) => name.startsWith(font)))
      expect(foreign).toEqual([])
      expect(families.length).toBeGreaterThan(1)
    })

    test.each([1440, 320])('at %i px it is accessible and as wide as the window', async (width) => {
      await resize(page, width)
      expect(await findViolations(page)).toEqual([])
      expect(await widthOf()).toBe(width)
    })

    test('on a phone Tab reaches everything, with the menu open', async () => {
      await resize(page, 390)
      await page.locator('.menu summary').click()
      await expectWalk(page)
      await toggleDetails(page)
      await expectWalk(page)
    })

    test('with text set wide it fits 320 px, and no button loses words', async () => {
      await resize(page, 320)
      expect(await page.evaluate(spaceOut)).toEqual([])
      expect(await widthOf()).toBe(320)
    })

    test('nothing was said on the console or reported', () => {
      expect(noise.filter((line) => !DOCUMENT_FAILED.test(line))).toEqual([])
      expect(site.logged.filter(({ msg }) => msg === 'a script failed in a browser')).toEqual([])
    })
  })
}
