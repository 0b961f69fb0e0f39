import { type Language, LOCALES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import { open } from '../../tools/harness/browser.ts'
import { page, ripen, site } from '../support/visits.ts'

export const PATHS = [...pages.flatMap(({ path }) => path ?? []), '/no-such-page']

export const toggle = () => page.locator('.language-toggle button')
export const banner = () => page.locator('.cookie-banner')
export const submit = () => page.locator('.contact-form button[type=submit]')
export const toast = () => page.locator('.toast')
export const summary = () => page.locator('.error-summary')

export const getLanguage = () => page.evaluate(() => document.documentElement.lang)

export const waitForLanguage = (language: Language) =>
  page.waitForFunction((lang) => document.documentElement.lang === lang, LOCALES[language])

export async function toggleTo(language: Language): Promise<void> {
  await toggle().click()
  await waitForLanguage(language)
}

/** Follows a link of the header without loading a document. */
export const follow = (path: string) => page.locator(`.nav a[href="${path}"]`).click()

/** Shows the error summary and a toast of the contact form. */
export async function submitEmptyForm(language: Language): Promise<void> {
  await open(page, `${site.url}/contact?lang=${language}`)
  await ripen()
  await submit().click()
  await summary().waitFor()
  await toast().waitFor()
}

/** The errors that browsers reported to the site since the last call. */
export const takeReports = () =>
  site.logged.splice(0).filter(({ msg }) => msg === 'a script failed in a browser')
