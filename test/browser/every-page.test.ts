import type { Response } from 'playwright-core'
import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import { type CDPSession, findViolations, type Page, watch } from '../../tools/harness/browser.ts'
import { startOver } from '../../tools/harness/keyboard.ts'
import { browser, setUpVisits, site } from '../support/visits.ts'
import { findGrowth, findModules, readWeights, weigh } from '../support/weight.ts'
import { expectWalk, neverIdle, PATHS, takeReports } from './steps.ts'

const FONTS = ['Bricolage Grotesque', 'Public Sans']
const DOCUMENT_FAILED = /Failed to load resource: the server responded with a status of (404|500)/

const { budgets, modules } = readWeights()

const resize = (page: Page, width: number) => page.setViewportSize({ width, height: 800 })

async function walkFromTop(page: Page): Promise<void> {
  await startOver(page)
  await expectWalk(page)
}

const toggleDetails = (page: Page) => page.locator('.cookie-details summary').click()

/** The font families that the browser uses on a page. */
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
    // A tooltip may have closed meanwhile.
    const found = await tools.send('CSS.getPlatformFontsForNode', { nodeId }).catch(() => undefined)
    for (const { familyName } of found?.fonts ?? []) families.add(familyName)
  }
  await Promise.all(nodeIds.map(note))
  return [...families]
}

test('no budget is above what the site promises', () => {
  expect(budgets['/']).toBeLessThanOrEqual(80_000)
  expect(budgets['/contact']).toBeLessThanOrEqual(95_000)
  expect(Object.keys(budgets).sort()).toEqual(pages.flatMap(({ path }) => path ?? []).sort())
})

test('a module that grows or is new is named, the one that grew most first', () => {
  const before = { react: 100, router: 50, 'client/app.tsx': 10 }
  const after = { react: 101, router: 50, 'client/app.tsx': 9, lodash: 500 }
  expect(findGrowth(after, before)).toEqual([
    'lodash: new, +500 characters',
    'react: +1 characters',
  ])
})

setUpVisits()

// Each page is loaded once, and each test continues where the last one ended.
describe.each(LANGUAGES)('%s', (language) => {
  describe.each(PATHS)('%s', (path) => {
    let page: Page
    let tools: CDPSession
    let noise: string[]
    const scripts = new Set<string>()

    beforeAll(async () => {
      page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      tools = await page.context().newCDPSession(page)
      noise = watch(page)
      const note = (response: Response) => {
        if (response.request().resourceType() === 'script')
          scripts.add(new URL(response.url()).pathname)
      }
      page.on('response', note)
      // The budget is for what a page loads before it is idle.
      await page.addInitScript(neverIdle)
      // Paused, so that the key ends the splash even on a slow machine.
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
      await walkFromTop(page)
      await toggleDetails(page)
      await walkFromTop(page)
    })

    test('the scripts stay within their budget', async () => {
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

    test.each([1440, 320])('at %i px it is accessible', async (width) => {
      await resize(page, width)
      expect(await findViolations(page)).toEqual([])
    })

    test('on a phone Tab reaches everything, with the menu open', async () => {
      await resize(page, 390)
      await page.locator('.menu summary').click()
      await walkFromTop(page)
      await toggleDetails(page)
      await walkFromTop(page)
    })

    test('nothing was logged on the console or reported', () => {
      expect(noise.filter((line) => !DOCUMENT_FAILED.test(line))).toEqual([])
      expect(takeReports()).toEqual([])
    })
  })
})
