import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import {
  type Browser,
  type BrowserContext,
  fillContact,
  open,
  openBrowser,
  type Page,
} from '../helpers/browser.ts'
import { startOver, walk } from '../helpers/keyboard.ts'
import { type Site, startSite } from '../helpers/site.ts'

let site: Site
let browser: Browser
let context: BrowserContext
let page: Page
beforeAll(async () => {
  site = await startSite({ realTime: true, environment: { CONTACT_LIMIT: '100' } })
  browser = await openBrowser()
}, 30_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})
afterEach(() => context.close())

const openPage = async (width: number) => {
  context = await browser.newContext({ viewport: { width, height: 800 } })
  page = await context.newPage()
}

const paths = [...pages.flatMap(({ path }) => path ?? []), '/no-such-page']
/** The skip link, the logo, the toggle, the footer and the banner are on every page. */
const FEWEST_STOPS = 18

test.each(paths)(
  '%s can be walked from the splash to the banner',
  async (path) => {
    await openPage(1280)
    await page.goto(site.url + path)
    await page.waitForLoadState('networkidle')
    expect(await page.locator('.splash').count()).toBe(1)
    const { stops, faults } = await walk(page)
    expect(faults).toEqual([])
    expect(stops).toBeGreaterThan(FEWEST_STOPS)
  },
  60_000,
)

test.each(paths)(
  '%s can be walked on a phone with the menu open',
  async (path) => {
    await openPage(390)
    await open(page, site.url + path)
    await page.locator('.menu summary').click()
    await startOver(page)
    const { stops, faults } = await walk(page)
    expect(faults).toEqual([])
    expect(stops).toBeGreaterThan(FEWEST_STOPS)
  },
  60_000,
)

test.each(LANGUAGES)(
  '%s: with a toast, the contact page has no trap',
  async (language) => {
    await openPage(1280)
    await open(page, `${site.url}/contact?lang=${language}`)
    await fillContact(page)
    await page.waitForFunction(() => performance.now() > 3100)
    await page.locator('.contact-form button[type=submit]').click()
    await page.locator('.toast').hover()
    const { faults } = await walk(page)
    expect(faults).toEqual([])
    expect(await page.locator('.toast').count()).toBe(1)
  },
  60_000,
)

test('the walk sees what the banner covers', async () => {
  await openPage(390)
  await open(page, site.url)
  await page.locator('.cookie-banner').waitFor()
  await page.evaluate(() => {
    document.documentElement.style.scrollPadding = '0px'
  })
  await startOver(page)
  expect((await walk(page)).faults.join()).toContain('is covered by')
}, 60_000)
