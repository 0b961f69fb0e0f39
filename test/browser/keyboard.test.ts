import { LANGUAGES } from '../../shared/language.ts'
import { fillContact, open } from '../../tools/harness/browser.ts'
import { startOver, walk } from '../support/keyboard.ts'
import { page, ripen, setUpVisits, site, visit } from '../support/visits.ts'
import { banner, submit, submitEmptyForm, toast } from './steps.ts'

setUpVisits({ CONTACT_LIMIT: '100' })

const openPage = (width: number) => visit({ viewport: { width, height: 800 } })

/** The skip link, the logo, the toggle, the footer and the banner are on every page. */
const MIN_STOPS = 18

async function expectWalk(min: number = MIN_STOPS): Promise<void> {
  const { stops, faults } = await walk(page)
  expect(faults).toEqual([])
  expect(stops).toBeGreaterThan(min)
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
  '%s, %i px: the keyboard is not trapped in a sent form with banner and toast',
  async (language, width) => {
    await openPage(width)
    await open(page, `${site.url}/contact?lang=${language}`)
    await fillContact(page)
    await ripen()
    await submit().click()
    await toast().hover()
    await expectWalk(0)
    expect(await toast().count()).toBe(1)
  },
)

test.each(widths)(
  '%s, %i px: nor in a form with errors, with the details open',
  async (language, width) => {
    await openPage(width)
    await submitEmptyForm(language)
    await openDetails()
    await toast().hover()
    await startOver(page)
    await expectWalk()
    expect(await toast().count()).toBe(1)
  },
)

test.each(LANGUAGES)('%s, 390 px: a toast does not cover the open menu', async (language) => {
  await openPage(390)
  await submitEmptyForm(language)
  await page.locator('.menu summary').click()
  await toast().hover()
  await startOver(page)
  await expectWalk()
  expect(await toast().count()).toBe(1)
})

test('the walk notices a control under the banner', async () => {
  await openPage(390)
  await open(page, site.url)
  await banner().waitFor()
  await page.evaluate(() => {
    document.documentElement.style.scrollPadding = '0px'
  })
  await startOver(page)
  expect((await walk(page)).faults.join()).toContain('is covered by')
})
