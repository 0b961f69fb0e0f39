import { LANGUAGES } from '../../shared/language.ts'
import { getPath, getPrivacyPage } from '../../shared/pages.ts'
import { SECTORS } from '../../shared/sectors.ts'
import { open } from '../../tools/harness/browser.ts'
import { page, setUpVisits, site, visit } from '../support/visits.ts'
import { STILL } from './steps.ts'

setUpVisits()
beforeEach(() => visit(STILL))

async function countSheets(format: string): Promise<number> {
  const pdf = await page.pdf({ format })
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

const cases = LANGUAGES.flatMap((language) => [
  ...SECTORS.map((sector) => ({ language, path: getPath(sector), most: 1 })),
  { language, path: getPath('contact'), most: 1 },
  { language, path: `${getPath('contact')}?service=animal-aid`, most: 1 },
  { language, path: getPath(getPrivacyPage(language)), most: 8 },
])

test.each(cases)('$path, $language: prints on $most sheet(s) of both sizes', async (row) => {
  const { path, language, most } = row
  const address = new URL(path, site.url)
  address.searchParams.set('lang', language)
  await open(page, address.href)
  await page.waitForLoadState('networkidle')
  for (const format of ['Letter', 'A4']) expect(await countSheets(format)).toBeLessThanOrEqual(most)
})

test('a sheet has no control, and the sign of its sector; without JavaScript too', async () => {
  await visit({ javaScriptEnabled: false })
  await page.goto(site.url + getPath('public-safety'))
  await page.emulateMedia({ media: 'print' })
  await page.waitForLoadState('networkidle')
  const controls = page.locator(':is(button, .button, summary, input, .nav)')
  expect(await controls.filter({ visible: true }).count()).toBe(0)
  expect(await page.locator('.hero .sign').isVisible()).toBe(true)
})

test('the line at the call to action opens the dialog of the browser', async () => {
  await open(page, site.url + getPath('public-safety'))
  await page.waitForLoadState('networkidle')
  const isOpened = page.evaluate(
    () =>
      new Promise<void>((done) => {
        window.print = done
      }),
  )
  await page.locator('.call-to-action .link-button').click()
  await isOpened
})
