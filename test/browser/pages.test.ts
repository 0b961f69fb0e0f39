import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import { findViolations, open } from '../helpers/browser.ts'
import { noise, page, setUpVisits, site, visit } from '../helpers/visits.ts'

setUpVisits()

const paths = [...pages.flatMap(({ path }) => path ?? []), '/no-such-page']
const cases = LANGUAGES.flatMap((language) => paths.map((path) => [language, path] as const))
const DOCUMENT_FAILED = /Failed to load resource: the server responded with a status of (404|500)/

test.each(cases)(
  '%s %s is quiet, accessible and fits 320 px',
  async (language, path) => {
    for (const width of [320, 1440]) {
      await visit({ viewport: { width, height: 800 } })
      await open(page, `${site.url}${path}?lang=${language}`)
      await page.locator('.cookie-banner').waitFor()
      expect(await findViolations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(noise.filter((line) => !DOCUMENT_FAILED.test(line))).toEqual([])
    }
    expect(site.logged.filter(({ msg }) => msg === 'a script failed in a browser')).toEqual([])
  },
  30_000,
)

test('without JavaScript there is neither splash nor banner, and the menu opens', async () => {
  await visit({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 800 },
  })
  await page.goto(site.url)
  await expect(page.locator('.splash').isVisible()).resolves.toBe(false)
  await expect(page.locator('.cookie-banner').count()).resolves.toBe(0)
  await expect(page.locator('.nav').isVisible()).resolves.toBe(false)
  await page.locator('.menu summary').click()
  await page.locator('.nav a[href="/services"]').click()
  await page.waitForURL('**/services')
}, 30_000)
