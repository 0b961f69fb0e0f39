import { LANGUAGES } from '../../shared/language.ts'
import { fillContact, open } from '../../tools/harness/browser.ts'
import { startOver, walk } from '../support/keyboard.ts'
import { page, ripen, setUpVisits, site, visit } from '../support/visits.ts'

setUpVisits({ CONTACT_LIMIT: '100' })

const openPage = (width: number) => visit({ viewport: { width, height: 800 } })

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

const widths = LANGUAGES.flatMap((language) =>
  [390, 1280].map((width) => [language, width] as const),
)

test.each(widths)(
  '%s, %i px: with a toast over the banner the sent form has no trap',
  async (language, width) => {
    await openPage(width)
    await open(page, `${site.url}/contact?lang=${language}`)
    await fillContact(page)
    await ripen()
    await page.locator('.contact-form button[type=submit]').click()
    await page.locator('.toast').hover()
    await expectWalk(0)
    expect(await page.locator('.toast').count()).toBe(1)
  },
)

test.each(widths)(
  '%s, %i px: nor has a form with errors, with the details open',
  async (language, width) => {
    await openPage(width)
    await open(page, `${site.url}/contact?lang=${language}`)
    await ripen()
    await page.locator('.contact-form button[type=submit]').click()
    await page.locator('.toast').waitFor()
    await openDetails()
    await page.locator('.toast').hover()
    await startOver(page)
    await expectWalk()
    expect(await page.locator('.toast').count()).toBe(1)
  },
)

test.each(LANGUAGES)('%s, 390 px: a toast leaves the opened menu free', async (language) => {
  await openPage(390)
  await open(page, `${site.url}/contact?lang=${language}`)
  await ripen()
  await page.locator('.contact-form button[type=submit]').click()
  await page.locator('.toast').waitFor()
  await page.locator('.menu summary').click()
  await page.locator('.toast').hover()
  await startOver(page)
  await expectWalk()
  expect(await page.locator('.toast').count()).toBe(1)
})

test('the walk sees what the banner covers', async () => {
  await openPage(390)
  await open(page, site.url)
  await page.locator('.cookie-banner').waitFor()
  await page.evaluate(() => {
    document.documentElement.style.scrollPadding = '0px'
  })
  await startOver(page)
  expect((await walk(page)).faults.join()).toContain('is covered by')
})
