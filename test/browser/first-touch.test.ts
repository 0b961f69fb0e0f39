import { company } from '../../shared/content/company.ts'
import { getPath } from '../../shared/pages.ts'
import { SECTORS, SERVICE_IDS, type Sector, type ServiceId } from '../../shared/sectors.ts'
import { openWithoutBanner } from '../../tools/harness/browser.ts'
import { browser, page, setUpVisits, site, visit } from '../support/visits.ts'
import { fillForm, follow, readForm, STILL } from './steps.ts'

setUpVisits()

const SERVICES: Record<Sector, ServiceId> = {
  'public-safety': 'public-safety',
  'francophone-services': 'francophone',
  'health-safety': 'health-safety',
  'animal-first-aid': 'animal-aid',
}

test.each(SECTORS)(
  'the hero of %s chooses it in the form, also without JavaScript',
  async (sector) => {
    const service = SERVICES[sector]
    await visit(STILL)
    await openWithoutBanner(page, `${site.url}/contact`)
    await fillForm({ firstName: 'Zoé', service: SERVICE_IDS.find((id) => id !== service) })
    await follow('/secteurs-activite')
    await page.locator(`.sector-tile[data-sector=${sector}] a`).click()
    expect(await page.locator('.nav [aria-current]').first().getAttribute('href')).toBe(
      '/secteurs-activite',
    )
    await page.locator('.hero .button').click()
    await page.locator('#service').waitFor()
    expect(await readForm()).toMatchObject({ firstName: 'Zoé', service })

    const plain = await browser.newPage({ javaScriptEnabled: false })
    await plain.goto(site.url + getPath(sector))
    await plain.locator('.hero .button').click()
    expect(await plain.locator('#service').inputValue()).toBe(service)
    await plain.locator('.language-toggle button').click()
    await plain.locator(':root:lang(en) #service').waitFor()
    expect(await plain.locator('#service').inputValue()).toBe(service)
    await plain.goto(`${site.url}/contact?service=${sector}-x`)
    expect(await plain.locator('#service').inputValue()).toBe('')
    await plain.context().close()
  },
)

test('going back to the form keeps the choice that replaced the one of the link', async () => {
  await visit(STILL)
  await openWithoutBanner(page, `${site.url}/health-safety`)
  await page.locator('.hero .button').click()
  await fillForm({ service: 'francophone' })
  await follow('/services')
  await page.locator('.service-card').first().waitFor()
  await page.goBack()
  await page.locator('#service').waitFor()
  expect(await readForm()).toMatchObject({ service: 'francophone' })
})

test('the hero of the contact page offers the form and the telephone, after the sentence on danger', async () => {
  await visit(STILL)
  await openWithoutBanner(page, `${site.url}/contact`)
  expect(await page.locator('.emergency + .button').getAttribute('href')).toBe('#request')
  expect(await page.locator('.hero .secondary').getAttribute('href')).toBe(`tel:${company.phone}`)
  await page.locator('.emergency + .button').click()
  await page.waitForFunction(() => {
    const { top } = document.getElementById('request')?.getBoundingClientRect() ?? { top: 1e9 }
    return top >= -1 && top < window.innerHeight / 2
  })
})

test('a sector’s page leads to the form at its beginning and at its end', async () => {
  await visit({ ...STILL, viewport: { width: 390, height: 844 } })
  await openWithoutBanner(page, `${site.url}/health-safety`)
  expect(await page.locator('main a[href="/contact?service=health-safety"]').count()).toBe(2)
})
