import { LANGUAGES } from '../../shared/language.ts'
import { findViolations, open, type Page, watch } from '../../tools/harness/browser.ts'
import { browser, setUpVisits, site, watchReports } from '../support/visits.ts'
import { expectWalk, listPaths, neverIdle, STILL } from './steps.ts'

const DOCUMENT_FAILED = /Failed to load resource: the server responded with a status of (404|500)/

/** Saves time: both languages have the same markup and styles, so each width and colour scheme has one language. */
const LOOKS = {
  fr: { width: 320, colorScheme: 'light' },
  en: { width: 1440, colorScheme: 'dark' },
} as const

/** Runs in the page. Lists the parts that have no name, and the elements that have none of the site's fonts. */
function findPageFaults(): string[] {
  const nameless = document.querySelectorAll(
    ':is(section, table):not([aria-label], [aria-labelledby], :has(h1, h2, h3, caption))',
  )
  const all = [...document.querySelectorAll('body :not(svg, svg *, template, script)')]
  const foreign = all.filter(
    (element) => !/^"?(Bricolage Grotesque|Public Sans)/.test(getComputedStyle(element).fontFamily),
  )
  return [...nameless, ...foreign].map((element) => element.outerHTML.slice(0, 90))
}

setUpVisits()

describe.each(LANGUAGES)('in %s', (language) => {
  const { width, colorScheme } = LOOKS[language]
  let page: Page
  let noise: string[]
  let reports: unknown[]

  beforeAll(async () => {
    page = await browser.newPage({ ...STILL, colorScheme, viewport: { width, height: 800 } })
    noise = watch(page)
    reports = watchReports(page)
    // Otherwise the library of tooltips may come during the walk. test/browser/states.test.ts walks with it.
    await page.addInitScript(neverIdle)
  })
  afterAll(() => page.context().close())

  test.each(listPaths(language))(
    '%s comes alive in silence, Tab reaches everything, and it is accessible',
    async (path) => {
      await open(page, `${site.url}${path}?lang=${language}`)
      await page.locator('.cookie-details summary').press('Enter')
      if (width < 768) await page.locator('.menu summary').press('Enter')
      await expectWalk(page)
      // Neither the header nor the banner then covers a part that axe looks at.
      await page.evaluate(() => {
        window.scrollTo(0, 0)
        const sheet = new CSSStyleSheet()
        sheet.replaceSync('.cookie-banner { position: static }')
        document.adoptedStyleSheets = [sheet]
      })
      expect(await findViolations(page)).toEqual([])
      expect(await page.evaluate(findPageFaults)).toEqual([])
      expect(await page.locator('.footer .button[href="/contact"]').isVisible()).toBe(true)
      expect(noise.splice(0).filter((line) => !DOCUMENT_FAILED.test(line))).toEqual([])
      expect(reports.splice(0)).toEqual([])
    },
  )
})
