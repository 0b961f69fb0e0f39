import { company, listTexts } from '../../../shared/content/company.ts'
import { CONTENT } from '../../../shared/content/index.ts'
import { getCompanyValues } from '../../../shared/format.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { getPath } from '../../../shared/pages.ts'
import { SECTORS, type Sector, type ServiceId } from '../../../shared/sectors.ts'
import { getWords } from '../../support/languages.ts'
import { get, setUpSite } from '../setup.ts'

setUpSite()

/** Number of offerings that each sector has, and its choice in the form. */
const SECTOR_FACTS: Record<Sector, { offerings: number; service: ServiceId }> = {
  'public-safety': { offerings: 4, service: 'public-safety' },
  'francophone-services': { offerings: 4, service: 'francophone' },
  'health-safety': { offerings: 6, service: 'health-safety' },
  'animal-first-aid': { offerings: 4, service: 'animal-aid' },
}

describe.each(LANGUAGES)('in %s', (language) => {
  const content = CONTENT[language]
  const { divisions, services, hero, contact, footer, errors, privacy } = content

  async function open(path: string): Promise<string> {
    return getWords((await get(path).set('Cookie', `rg-language=${language}`)).text)
  }

  /** Expects these texts, and links to these addresses, on a page. */
  async function expectOn(path: string, texts: unknown, links: string[] = []): Promise<void> {
    const html = await open(path)
    const missing = listTexts(texts).filter(([, text]) => !html.includes(text))
    expect({ path, missing }).toEqual({ path, missing: [] })
    expect(links.filter((link) => !html.includes(`href="${link}"`))).toEqual([])
  }

  const cards = SECTORS.map((sector) => divisions.items[sector])
  const sectorPaths = SECTORS.map(getPath)

  test('the home page has headline, introduction and a card for each sector', async () => {
    const titles = cards.map(({ title }) => title)
    await expectOn('/', [hero.headline, hero.intro, ...titles], sectorPaths)
  })

  test('the sectors have title, subtitle, description and tags', async () => {
    const texts = cards.map(({ title, subtitle, description, tags }) => [
      title,
      subtitle,
      description,
      tags,
    ])
    await expectOn('/secteurs-activite', texts, sectorPaths)
  })

  test('three services have their features, and a button leads to the contact part of the home page', async () => {
    expect(services.items).toHaveLength(3)
    const { items, callToAction } = services
    const texts = items.map(({ title, description, features }) => [title, description, features])
    await expectOn('/services', [texts, callToAction.action], ['/#contact'])
  })

  test.each(SECTORS)('the page of %s has its offerings', async (sector) => {
    const { offerings } = divisions.items[sector]
    expect(offerings).toHaveLength(SECTOR_FACTS[sector].offerings)
    await expectOn(getPath(sector), offerings)
  })

  test.each(SECTORS)('%s leads to the form twice and chooses its service there', async (sector) => {
    const { service } = SECTOR_FACTS[sector]
    const address = `/contact?service=${service}`
    expect((await open(getPath(sector))).split(`href="${address}"`)).toHaveLength(3)
    const html = await open(address)
    expect(html).toMatch(new RegExp(`<option value="${service}" selected=""`))
    // The button of the other language keeps it.
    expect(html).toMatch(new RegExp(`<input type="hidden" name="service" value="${service}"`))
    expect(await open(`${address}-x`)).not.toContain(' selected=""')
  })

  test('the contact page has address, telephone, e-mail, hours and the form', async () => {
    const { phone, email } = getCompanyValues(company, language)
    const { street } = company.address[language]
    const { hoursValue, holidays } = contact.facts
    await expectOn(
      '/contact',
      [street, phone, email, hoursValue, holidays, contact.form.submit],
      ['#request', `tel:${company.phone}`],
    )
  })

  test('the policy has twelve sections and its date', async () => {
    expect(privacy.sections).toHaveLength(12)
    const titles = privacy.sections.map(({ title }) => title)
    await expectOn(`/privacy-policy?lang=${language}`, [privacy.updated, titles])
  })

  test('the error pages lead home and to the form, that of the server to the page again', async () => {
    const { notFound, serverError, test } = errors
    await expectOn('/test-404', [notFound.headline, notFound.home], ['/', '/contact'])
    const texts = [serverError.headline, serverError.intro, serverError.reload]
    await expectOn('/test-500', texts, ['', '/', '/contact'])
    await expectOn('/error-test', [test.missing, test.failing, test.throwing])
  })

  test('the footer leads to the form and to the firm’s other sites, and has its registration numbers', async () => {
    const { links, registrations } = company
    const others = Object.values(links).filter(Boolean)
    const numbers = listTexts(registrations).map(([, number]) => number)
    await expectOn('/', [footer.contact, numbers], ['/contact', ...others])
  })
})
