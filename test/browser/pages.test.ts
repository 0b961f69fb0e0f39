import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import { type Browser, findViolations, open, openBrowser, watch } from '../helpers/browser.ts'
import { type Site, startSite } from '../helpers/site.ts'

let site: Site
let browser: Browser
beforeAll(async () => {
  site = await startSite({ realTime: true })
  browser = await openBrowser()
}, 30_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

const paths = [...pages.flatMap(({ path }) => path ?? []), '/no-such-page']
const cases = LANGUAGES.flatMap((language) => paths.map((path) => [language, path] as const))
const DOCUMENT_FAILED = /Failed to load resource: the server responded with a status of (404|500)/

test.each(cases)(
  '%s %s is quiet, accessible and fits 320 px',
  async (language, path) => {
    for (const width of [320, 1440]) {
      const page = await browser.newPage({ viewport: { width, height: 800 } })
      const noise = watch(page)
      await open(page, `${site.url}${path}?lang=${language}`)
      await page.locator('.cookie-banner').waitFor()
      expect(await findViolations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(noise.filter((line) => !DOCUMENT_FAILED.test(line))).toEqual([])
      await page.close()
    }
    expect(site.logged.filter(({ msg }) => msg === 'a script failed in a browser')).toEqual([])
  },
  30_000,
)

test('without JavaScript there is neither splash nor banner, and the menu opens', async () => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 800 },
  })
  const page = await context.newPage()
  await page.goto(site.url)
  await expect(page.locator('.splash').isVisible()).resolves.toBe(false)
  await expect(page.locator('.cookie-banner').count()).resolves.toBe(0)
  await expect(page.locator('.nav').isVisible()).resolves.toBe(false)
  await page.locator('.menu summary').click()
  await page.locator('.nav a[href="/services"]').click()
  await page.waitForURL('**/services')
  await context.close()
}, 30_000)
