import { LANGUAGES } from '../../shared/language.ts'
import {
  type Browser,
  fillContact,
  findViolations,
  open,
  openBrowser,
  openWithoutBanner,
  type Page,
} from '../helpers/browser.ts'
import { type Site, startSite } from '../helpers/site.ts'

let site: Site
let browser: Browser
beforeAll(async () => {
  site = await startSite({ realTime: true, environment: { CONTACT_LIMIT: '100' } })
  browser = await openBrowser()
}, 30_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

type Reach = (page: Page, address: (path: string) => string) => Promise<void>

const submit = (page: Page) => page.locator('.contact-form button[type=submit]').click()
const NARROW_ONLY = 'menu open'

const STATES: Record<string, Reach> = {
  [NARROW_ONLY]: async (page, address) => {
    await openWithoutBanner(page, address('/services'))
    await page.locator('.menu summary').click()
    await page.locator('.nav').waitFor()
  },
  'errors and toast shown': async (page, address) => {
    await openWithoutBanner(page, address('/contact'))
    await page.waitForFunction(() => performance.now() > 3100)
    await submit(page)
    await page.locator('.error-summary').waitFor()
    await page.locator('.toast').waitFor()
  },
  sent: async (page, address) => {
    await openWithoutBanner(page, address('/contact'))
    await fillContact(page)
    await page.waitForFunction(() => performance.now() > 3100)
    await submit(page)
    await page.locator('.sent-notice').waitFor()
    await page.locator('.toast').waitFor()
  },
  'banner and details open': async (page, address) => {
    await open(page, address('/secteurs-activite'))
    await page.locator('.cookie-details summary').click()
    await page.locator('.cookie-details dd').first().waitFor()
  },
  'tooltip open': async (page, address) => {
    await openWithoutBanner(page, address('/'))
    await page.locator('.toggle').focus()
    await page.locator('.tooltip').waitFor()
  },
}

const cases = Object.keys(STATES).flatMap((state) =>
  LANGUAGES.flatMap((language) =>
    (state === NARROW_ONLY ? [320] : [320, 1440]).map((width) => [state, language, width] as const),
  ),
)

test.each(cases)(
  '%s, %s, %i px: accessible, and as wide as the screen',
  async (state, language, width) => {
    const context = await browser.newContext({ viewport: { width, height: 800 } })
    const page = await context.newPage()
    await STATES[state]?.(page, (path) => `${site.url}${path}?lang=${language}`)
    await page.waitForTimeout(300)
    expect(await findViolations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await context.close()
  },
  30_000,
)
