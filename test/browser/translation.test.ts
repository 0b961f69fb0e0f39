import { MINIMUM_FILL_TIME } from '../../shared/constants.ts'
import { en } from '../../shared/content/en.ts'
import { fr } from '../../shared/content/fr.ts'
import { LANGUAGES, type Language, LOCALES, otherLanguage } from '../../shared/language.ts'
import { findPage, pages, pathOf, privacyPage } from '../../shared/pages.ts'
import { fillContact, open, openWithoutBanner } from '../../tools/harness/browser.ts'
import { translate, withoutMarks } from '../support/translator.ts'
import { page, pass, setUpVisits, site, visit } from '../support/visits.ts'

setUpVisits({ CONTACT_LIMIT: '100' })
beforeEach(async () => {
  await visit({ viewport: { width: 1280, height: 900 } })
  await page.clock.install()
})
afterEach(() => {
  expect(site.logged.splice(0).filter(({ msg }) => msg === 'a script failed in a browser')).toEqual(
    [],
  )
})

const TEXTS = { fr, en }
const paths = [...pages.flatMap(({ path }) => path ?? []), '/no-such-page']

const button = () => page.locator('.contact-form button[type=submit]')
const summary = () => page.locator('.error-summary')

async function turnTo(language: Language): Promise<void> {
  // Without a pointer on it, since its tooltip would stand among the words that are compared.
  await page.locator('.toggle').evaluate((button: HTMLButtonElement) => button.click())
  await page.waitForFunction((lang) => document.documentElement.lang === lang, LOCALES[language])
}

/** The words of a page as the server sends it, before any translation. */
const askServer = (path: string, language: Language) =>
  page.evaluate(async (address) => {
    const answer = await fetch(address, { credentials: 'omit' })
    const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html')
    return [...parsed.querySelectorAll('header, main, footer')].map((part) => part.textContent)
  }, `${path}?lang=${language}`)

async function readPage(): Promise<string[]> {
  const parts = await page.locator('#root > :is(header, main, footer)').allTextContents()
  return parts.map(withoutMarks)
}

/** Waits until it is said, and says what stands there in its place when it is not. */
async function until<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const wanted = JSON.stringify(expected)
  for (let attempt = 0; attempt < 1000 && JSON.stringify(await read()) !== wanted; attempt += 1)
    await page.waitForTimeout(50)
  expect(await read()).toEqual(expected)
}

const says = (selector: string, ...expected: string[]) =>
  until(async () => (await page.locator(selector).allTextContents()).map(withoutMarks), expected)

test.each(LANGUAGES)(
  'from %s, every translated page says what the server’s does, after each route and toggle',
  async (first) => {
    await openWithoutBanner(page, `${site.url}/?lang=${first}`)
    await page.evaluate(translate)
    let language = first
    for (const path of paths) {
      await page.evaluate((address) => {
        history.pushState(null, '', address)
        window.dispatchEvent(new PopStateEvent('popstate'))
      }, path)
      await until(readPage, await askServer(path, language))
      language = otherLanguage(language)
      await turnTo(language)
      const twin = findPage(path)?.language ? pathOf(privacyPage(language)) : path
      await until(readPage, await askServer(twin, language))
    }
    expect(await page.locator('font').count()).toBeGreaterThan(50)
  },
)

test.each(LANGUAGES)(
  'from %s, a translated form is refused, fails, follows the toggle, and is sent',
  async (language) => {
    const other = otherLanguage(language)
    const { contact } = TEXTS[language]
    const answers = Promise.withResolvers<void>()
    await page.route('**/api/contact', async (route) => {
      await answers.promise
      await route.abort()
    })
    await openWithoutBanner(page, `${site.url}/contact?lang=${language}`)
    await page.evaluate(translate)
    await pass(MINIMUM_FILL_TIME)
    await button().click()
    const refused = `${contact.form.lastName} — ${contact.form.missing.lastName}`
    await summary().waitFor()
    expect((await summary().locator('a').allTextContents()).map(withoutMarks)).toContain(refused)
    await says('.toast-title', contact.failed.title)
    await turnTo(other)
    await says('[data-field=email] .field-error', TEXTS[other].contact.form.missing.email)
    await turnTo(language)

    await fillContact(page)
    await button().click()
    await page.locator('.spinner').waitFor()
    await says('.contact-form button[type=submit]', contact.form.submitting)
    expect(await summary().count()).toBe(0)
    answers.resolve()
    await says('.error-summary p', contact.failed.description)
    await says('.contact-form button[type=submit]', contact.form.submit)
    await turnTo(other)
    await says('.error-summary p', TEXTS[other].contact.failed.description)

    await page.unroute('**/api/contact')
    await button().click()
    await says('.sent-notice h3', TEXTS[other].contact.sent.title)
    await says('.toast-title', TEXTS[other].contact.sent.title)
    await turnTo(language)
    await says('.sent-notice p', contact.sent.description, contact.next.answer)
  },
)

test('on a translated page the banner explains itself and goes', async () => {
  await open(page, site.url)
  await page.evaluate(translate)
  const { banner } = fr.privacy
  await page.locator('.cookie-details summary').click()
  await says('.cookie-details dt', ...banner.categories.map(({ title }) => title))
  await turnTo('en')
  await says('.cookie-details dt', ...en.privacy.banner.categories.map(({ title }) => title))
  await says('.cookie-banner > p', `${en.privacy.banner.text} ${en.privacy.banner.link}`)
  await page.locator('.cookie-banner .actions button').first().click()
  await page.locator('.cookie-banner').waitFor({ state: 'detached' })
  await page.locator('.footer button').click()
  await page.locator('.cookie-banner').waitFor()
})
