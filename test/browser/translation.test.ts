import { company } from '../../shared/content/company.ts'
import { en, fr } from '../../shared/content/index.ts'
import { fill, getCompanyValues } from '../../shared/format.ts'
import { type Language, otherLanguage } from '../../shared/language.ts'
import { findPage, getPath, getPrivacyPage } from '../../shared/pages.ts'
import { open, openWithoutBanner } from '../../tools/harness/browser.ts'
import { translate, withoutMarks } from '../support/translator.ts'
import { page, revisit, setUpVisits, site } from '../support/visits.ts'
import {
  banner,
  fillForm,
  PATHS,
  submit,
  submitLater,
  summary,
  takeReports,
  toggle,
  waitForLanguage,
} from './steps.ts'

setUpVisits({ CONTACT_LIMIT: '100' })
beforeEach(() => revisit())
afterEach(() => {
  expect(takeReports()).toEqual([])
})

async function turnTo(language: Language): Promise<void> {
  // Click by script: the pointer would open the tooltip, whose text would then be compared.
  await toggle().dispatchEvent('click')
  await waitForLanguage(language)
}

/** The text of a page as the server sends it, without translation. */
const fetchTexts = (path: string, language: Language) =>
  page.evaluate(async (address) => {
    const answer = await fetch(address, { credentials: 'omit' })
    const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html')
    return [...parsed.querySelectorAll('header, main, footer')].map((part) => part.textContent)
  }, `${path}?lang=${language}`)

/** Waits until the elements have these texts. After a timeout, fails and shows the difference. */
async function waitForTexts(selector: string, ...expected: (string | null)[]): Promise<void> {
  const isShown = (wanted: { selector: string; expected: typeof expected }) => {
    const texts = [...document.querySelectorAll(wanted.selector)].map(
      ({ textContent }) => textContent,
    )
    return JSON.stringify(texts).replace(/[‹›]/g, '') === JSON.stringify(wanted.expected)
  }
  await page.waitForFunction(isShown, { selector, expected }, { polling: 50 }).catch(() => {})
  expect((await page.locator(selector).allTextContents()).map(withoutMarks)).toEqual(expected)
}

const PARTS = '#root > :is(header, main, footer)'

test('a translated page has the texts of the server, in both languages, wherever its visitor goes', async () => {
  await open(page, `${site.url}/?lang=fr`)
  await banner().waitFor()
  await page.evaluate(translate)
  let language: Language = 'fr'
  for (const path of PATHS) {
    await page.evaluate((address) => {
      history.pushState(null, '', address)
      window.dispatchEvent(new PopStateEvent('popstate'))
    }, path)
    await waitForTexts(PARTS, ...(await fetchTexts(path, language)))
    language = otherLanguage(language)
    await turnTo(language)
    const twin = findPage(path)?.language ? getPath(getPrivacyPage(language)) : path
    await waitForTexts(PARTS, ...(await fetchTexts(twin, language)))
  }
  expect(await page.locator('font').count()).toBeGreaterThan(50)
  await banner().locator('.actions button').first().click()
  await banner().waitFor({ state: 'detached' })
})

test('a translated form is refused, fails and is sent, in the language that is shown', async () => {
  const { contact } = fr
  const { form, sent } = contact
  const answers = Promise.withResolvers<void>()
  await page.route('**/api/contact?lang=*', async (route) => {
    await answers.promise
    await route.abort()
  })
  await openWithoutBanner(page, `${site.url}/contact?lang=fr`)
  await page.evaluate(translate)
  await submitLater()
  await waitForTexts('.toast-title', contact.failed.title)
  const refused = form.missing.lastName
  expect((await summary().locator('a').allTextContents()).map(withoutMarks)).toContain(refused)
  await turnTo('en')
  await waitForTexts('[data-field=email] .field-error', en.contact.form.missing.email)

  await turnTo('fr')
  await fillForm()
  await submit().click()
  await waitForTexts('.contact-form button[type=submit]', form.submitting)
  expect(await summary().count()).toBe(0)
  answers.resolve()
  const { failed } = contact
  const firm = getCompanyValues(company, 'fr')
  await waitForTexts('.error-summary p', failed.description, failed.kept, fill(failed.reach, firm))
  await waitForTexts('.contact-form button[type=submit]', form.submit)

  await page.unroute('**/api/contact?lang=*')
  await turnTo('en')
  await submit().click()
  await waitForTexts('.sent-notice h3', en.contact.sent.title)
  await waitForTexts('.toast-title', en.contact.sent.title)
  await turnTo('fr')
  const [kept] = await site.messages()
  const reference = fill(sent.reference, { reference: kept?.reference ?? '' })
  const keep = fill(sent.keep, firm)
  await waitForTexts('.sent-notice p', reference, sent.description, contact.next.answer, keep)
})
