import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import { fillContact, open, ripen } from '../helpers/browser.ts'
import { startOver, walk } from '../helpers/keyboard.ts'
import { page, setUpVisits, site, visit } from '../helpers/visits.ts'

setUpVisits({ CONTACT_LIMIT: '100' })

const openPage = (width: number) => visit({ viewport: { width, height: 800 } })

const paths = [...pages.flatMap(({ path }) => path ?? []), '/no-such-page']
const cases = LANGUAGES.flatMap((language) => paths.map((path) => [language, path] as const))
/** The skip link, the logo, the toggle, the footer and the banner are on every page. */
const FEWEST_STOPS = 18

async function expectWalk(fewest: number = FEWEST_STOPS): Promise<void> {
  const { stops, faults } = await walk(page)
  expect(faults).toEqual([])
  expect(stops).toBeGreaterThan(fewest)
}

async function openDetails(): Promise<void> {
  await page.locator('.cookie-details summary').click()
  await page.locator('.cookie-details dd').first().waitFor()
  await startOver(page)
}

test.each(cases)(
  '%s %s can be walked from the splash to the banner, and with its details open',
  async (language, path) => {
    await openPage(1280)
    await page.goto(`${site.url}${path}?lang=${language}`)
    await page.waitForLoadState('networkidle')
    expect(await page.locator('.splash').count()).toBe(1)
    await page.keyboard.press('Tab')
    await page.locator('.splash').waitFor({ state: 'detached' })
    await startOver(page)
    await expectWalk()
    await openDetails()
    await expectWalk()
  },
  60_000,
)

test.each(cases)(
  '%s %s can be walked on a phone with the menu open, then the banner’s details too',
  async (language, path) => {
    await openPage(390)
    await open(page, `${site.url}${path}?lang=${language}`)
    await page.locator('.menu summary').click()
    await startOver(page)
    await expectWalk()
    await openDetails()
    await expectWalk()
  },
  60_000,
)

const widths = LANGUAGES.flatMap((language) =>
  [390, 1280].map((width) => [language, width] as const),
)

test.each(widths)(
  '%s, %i px: with a toast over the banner the sent form has no trap',
  async (language, width) => {
    await openPage(width)
    await open(page, `${site.url}/contact?lang=${language}`)
    await fillContact(page)
    await ripen(page)
    await page.locator('.contact-form button[type=submit]').click()
    await page.locator('.toast').hover()
    await expectWalk(0)
    expect(await page.locator('.toast').count()).toBe(1)
  },
  60_000,
)

test.each(widths)(
  '%s, %i px: nor has a form with errors, with the details open',
  async (language, width) => {
    await openPage(width)
    await open(page, `${site.url}/contact?lang=${language}`)
    await ripen(page)
    await page.locator('.contact-form button[type=submit]').click()
    await page.locator('.toast').waitFor()
    await openDetails()
    await page.locator('.toast').hover()
    await startOver(page)
    await expectWalk()
    expect(await page.locator('.toast').count()).toBe(1)
  },
  60_000,
)

test.each(LANGUAGES)(
  '%s, 390 px: a toast leaves the opened menu free',
  async (language) => {
    await openPage(390)
    await open(page, `${site.url}/contact?lang=${language}`)
    await ripen(page)
    await page.locator('.contact-form button[type=submit]').click()
    await page.locator('.toast').waitFor()
    await page.locator('.menu summary').click()
    await page.locator('.toast').hover()
    await startOver(page)
    await expectWalk()
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
