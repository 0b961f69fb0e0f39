import { LANGUAGES, type Language, otherLanguage } from '../../shared/language.ts'
import { findPage } from '../../shared/pages.ts'
import { findViolations, open, type Page, watch } from '../../tools/harness/browser.ts'
import { browser, setUpVisits, site, watchReports } from '../support/visits.ts'
import { expectWalk, listPaths, neverIdle, STILL, setScheme } from './steps.ts'

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

let page: Page
let noise: string[]
let reports: unknown[]

beforeAll(async () => {
  page = await browser.newPage(STILL)
  noise = watch(page)
  reports = watchReports(page)
  // Otherwise the library of tooltips may come during the walk. test/browser/states.test.ts walks with it.
  await page.addInitScript(neverIdle)
})
afterAll(() => page.context().close())

/** Runs in the page. Neither the header nor the banner then covers a part that axe looks at. */
function uncover(isUncovered: boolean): void {
  window.scrollTo(0, 0)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('.cookie-banner { position: static }')
  document.adoptedStyleSheets = isUncovered ? [sheet] : []
}

async function examine(language: Language): Promise<void> {
  const { width, colorScheme } = LOOKS[language]
  await page.setViewportSize({ width, height: 800 })
  await setScheme(page, colorScheme)
  if (width < 768) await page.locator('.menu summary').press('Enter')
  await expectWalk(page)
  await page.evaluate(uncover, true)
  expect(await findViolations(page)).toEqual([])
  await page.evaluate(uncover, false)
  expect(await page.evaluate(findPageFaults)).toEqual([])
  expect(await page.locator('.footer .button[href="/contact"]').isVisible()).toBe(true)
}

/** Saves time: half of the pages come alive in French, half in English, and the toggle then shows the other language. */
const cases = listPaths('fr').map(
  (path, index) => [path, findPage(path)?.language ?? LANGUAGES[index % 2] ?? 'fr'] as const,
)

test.each(cases)(
  '%s comes alive in silence, first in %s; in both languages, Tab reaches everything and it is accessible',
  async (path, first) => {
    await open(page, `${site.url}${path}?lang=${first}`)
    await page.locator('.cookie-details summary').press('Enter')
    await examine(first)
    const second = otherLanguage(first)
    await page.locator('.toggle').press('Enter')
    await page.locator(`html[lang=${second}]`).waitFor()
    await examine(second)
    expect(noise.splice(0).filter((line) => !DOCUMENT_FAILED.test(line))).toEqual([])
    expect(reports.splice(0)).toEqual([])
  },
)
