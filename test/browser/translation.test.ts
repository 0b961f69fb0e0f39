import { MIN_FILL_MS } from '../../shared/contact-fields.ts'
import { company } from '../../shared/content/company.ts'
import { en, fr } from '../../shared/content/index.ts'
import { fill, formatPhone } from '../../shared/format.ts'
import { LANGUAGES, type Language, otherLanguage } from '../../shared/language.ts'
import { findPage, getPath, getPrivacyPage } from '../../shared/pages.ts'
import { open, openWithoutBanner } from '../../tools/harness/browser.ts'
import { translate, withoutMarks } from '../support/translator.ts'
import { page, pass, setUpVisits, site, visit } from '../support/visits.ts'
import {
  banner,
  fillForm,
  PATHS,
  STILL,
  submit,
  summary,
  takeReports,
  toggle,
  waitForLanguage,
} from './steps.ts'

setUpVisits({ CONTACT_LIMIT: '100' })
beforeEach(async () => {
  await visit({ ...STILL, viewport: { width: 1280, height: 900 } })
  await page.clock.install()
})
afterEach(() => {
  expect(takeReports()).toEqual([])
})

const TEXTS = { fr, en }

async function turnTo(language: Language): Promise<void> {
  // Click by script: the pointer would open the tooltip, whose text would then be compared.
  await toggle().evaluate((button: HTMLButtonElement) => button.click())
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

test.each(LANGUAGES)('from %s, a translated page has the texts of the server', async (first) => {
  await open(page, `${site.url}/?lang=${first}`)
  await banner().waitFor()
  await page.evaluate(translate)
  let language = first
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

test.each(LANGUAGES)('from %s, a translated form is refused, fails, is sent', async (language) => {
  const other = otherLanguage(language)
  const { contact } = TEXTS[language]
  const answers = Promise.withResolvers<void>()
  await page.route('**/api/contact', async (route) => {
    await answers.promise
    await route.abort()
  })
  await openWithoutBanner(page, `${site.url}/contact?lang=${language}`)
  await page.evaluate(translate)
  await pass(MIN_FILL_MS)
  await submit().click()
  const { lastName, missing, errorLine } = contact.form
  const refused = fill(errorLine, { field: lastName, sentence: missing.lastName })
  await summary().waitFor()
  expect((await summary().locator('a').allTextContents()).map(withoutMarks)).toContain(refused)
  await waitForTexts('.toast-title', contact.failed.title)
  await turnTo(other)
  await waitForTexts('[data-field=email] .field-error', TEXTS[other].contact.form.missing.email)
  await turnTo(language)

  await fillForm()
  await submit().click()
  await page.locator('.icon-spinner').waitFor()
  await waitForTexts('.contact-form button[type=submit]', contact.form.submitting)
  await summary().waitFor({ state: 'detached' })
  answers.resolve()
  await waitForTexts('.error-summary p', contact.failed.description)
  await waitForTexts('.contact-form button[type=submit]', contact.form.submit)
  await turnTo(other)
  await waitForTexts('.error-summary p', TEXTS[other].contact.failed.description)

  await page.unroute('**/api/contact')
  await submit().click()
  await waitForTexts('.sent-notice h3', TEXTS[other].contact.sent.title)
  await waitForTexts('.toast-title', TEXTS[other].contact.sent.title)
  await turnTo(language)
  const [kept] = await site.messages()
  const reference = fill(contact.sent.reference, { reference: kept?.reference ?? '' })
  const keep = fill(contact.sent.keep, { phone: formatPhone(company.phone, language) })
  const { description } = contact.sent
  await waitForTexts('.sent-notice p', reference, description, contact.next.answer, keep)
})
