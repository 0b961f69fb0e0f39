import { LANGUAGES } from '../../shared/language.ts'
import {
  fillContact,
  findViolations,
  open,
  openWithoutBanner,
  type Page,
} from '../../tools/harness/browser.ts'
import { findForeign } from '../support/languages.ts'
import { page, ripen, setUpVisits, site, visit } from '../support/visits.ts'

setUpVisits({ CONTACT_LIMIT: '100' })

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
    await ripen()
    await submit(page)
    await page.locator('.error-summary').waitFor()
    await page.locator('.toast').waitFor()
  },
  sent: async (page, address) => {
    await openWithoutBanner(page, address('/contact'))
    await fillContact(page)
    await ripen()
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
  '%s, %s, %i px: accessible, of one language, and as wide as the screen',
  async (state, language, width) => {
    await visit({ viewport: { width, height: 800 } })
    await STATES[state]?.(page, (path) => `${site.url}${path}?lang=${language}`)
    await page.waitForFunction(() =>
      document.getAnimations().every(({ playState }) => playState !== 'running'),
    )
    expect(await findViolations(page)).toEqual([])
    expect(findForeign(await page.content(), language)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  },
)
