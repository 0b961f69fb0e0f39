import { LANGUAGES, type Language } from '../../shared/language.ts'
import {
  fillContact,
  findViolations,
  open,
  openWithoutBanner,
} from '../../tools/harness/browser.ts'
import { findForeign } from '../support/languages.ts'
import { page, ripen, setUpVisits, site, visit } from '../support/visits.ts'
import { submit, submitEmptyForm, toast } from './steps.ts'

setUpVisits({ CONTACT_LIMIT: '100' })

const NARROW_ONLY = 'menu open'

const STATES: Record<string, (language: Language) => Promise<void>> = {
  [NARROW_ONLY]: async (language) => {
    await openWithoutBanner(page, `${site.url}/services?lang=${language}`)
    await page.locator('.menu summary').click()
    await page.locator('.nav').waitFor()
  },
  'errors and toast shown': async (language) => {
    await page.addInitScript(() => localStorage.setItem('cookie-consent', 'necessary-only'))
    await submitEmptyForm(language)
  },
  sent: async (language) => {
    await openWithoutBanner(page, `${site.url}/contact?lang=${language}`)
    await fillContact(page)
    await ripen()
    await submit().click()
    await page.locator('.sent-notice').waitFor()
    await toast().waitFor()
  },
  'banner and details open': async (language) => {
    await open(page, `${site.url}/secteurs-activite?lang=${language}`)
    await page.locator('.cookie-details summary').click()
    await page.locator('.cookie-details dd').first().waitFor()
  },
  'tooltip open': async (language) => {
    await openWithoutBanner(page, `${site.url}/?lang=${language}`)
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
    await STATES[state]?.(language)
    await page.waitForFunction(() =>
      document.getAnimations().every(({ playState }) => playState !== 'running'),
    )
    expect(await findViolations(page)).toEqual([])
    expect(findForeign(await page.content(), language)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  },
)
