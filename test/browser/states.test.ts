import { CONTENT } from '../../shared/content/index.ts'
import { LANGUAGES, type Language } from '../../shared/language.ts'
import { findViolations, open, openWithoutBanner } from '../../tools/harness/browser.ts'
import { findForeign } from '../support/languages.ts'
import { page, revisit, setUpVisits, site } from '../support/visits.ts'
import {
  expectWalk,
  fillForm,
  follow,
  holdBack,
  setScheme,
  submitLater,
  toast,
  toggleTo,
} from './steps.ts'

setUpVisits({ CONTACT_LIMIT: '100' })

const NARROW = 320
const WIDE = 1440

/** Shares out the widths and colour schemes: both languages have the same markup. */
const LOOKS = {
  fr: { width: NARROW, scheme: 'light' },
  en: { width: WIDE, scheme: 'dark' },
} as const

/** The toast stays open while its window has no focus. */
const keepToast = () => page.evaluate(() => dispatchEvent(new Event('blur')))

/** Shows the form's errors and a toast. */
const showErrors = (details: string) => async (language: Language) => {
  await open(page, `${site.url}/contact?lang=${language}`)
  await submitLater()
  await toast().waitFor()
  await keepToast()
  await page.locator(`${details} summary`).press('Enter')
}

async function showSent(language: Language): Promise<void> {
  await open(page, `${site.url}/contact?lang=${language}`)
  await fillForm()
  await submitLater()
  await page.locator('.sent-notice').waitFor()
  await toast().waitFor()
  await keepToast()
}

async function showTooltip(language: Language): Promise<void> {
  await openWithoutBanner(page, `${site.url}/?lang=${language}`)
  // From then on the button has its tooltip, unless the focus is on it already.
  await page.getByRole('region', { name: /^Notifications/ }).waitFor({ state: 'attached' })
  await page.locator('.toggle').focus()
  await page.locator('.tooltip').waitFor()
}

const STATES = [
  { name: 'errors, toast and menu', show: showErrors('.menu'), isNarrow: true },
  { name: 'errors, toast and banner', show: showErrors('.cookie-details') },
  { name: 'sent form, toast and banner', show: showSent },
  { name: 'tooltip', show: showTooltip },
]
const cases = STATES.flatMap((state) => LANGUAGES.map((language) => ({ ...state, language })))

test.each(cases)(
  '$name, $language: accessible, in one language, and Tab reaches everything',
  async (row) => {
    const { language, show, isNarrow } = row
    const { scheme, ...look } = LOOKS[language]
    const width = isNarrow ? NARROW : look.width
    await revisit({ width, height: 800 })
    await show(language)
    await setScheme(page, scheme)
    const toasts = await toast().count()
    expect(await findViolations(page)).toEqual([])
    expect(findForeign(await page.content(), language)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await expectWalk(page)
    expect(await toast().count()).toBe(toasts)
  },
)

test.each([
  ['fr', 320],
  ['en', 390],
  ['fr', 768],
  ['en', WIDE],
])('%s, %d px: below the toast, the form begins with its heading', async (language, width) => {
  await revisit({ width, height: 664 })
  await openWithoutBanner(page, `${site.url}/contact?lang=${language}`)
  await submitLater()
  await toast().waitFor()
  const { top, covered } = await page.evaluate(() => {
    const getBox = (element: Element | null) => element?.getBoundingClientRect() ?? new DOMRect()
    const over = getBox(document.querySelector('.toast'))
    const covered = [
      ...document.querySelectorAll('#form-title, .error-summary, [aria-invalid]'),
    ].filter((each) => {
      const { left, right, top, bottom } = getBox(each)
      return left < over.right && right > over.left && top < over.bottom && bottom > over.top
    })
    return { top: getBox(document.querySelector('#form-title')).top, covered: covered.length }
  })
  expect(covered).toBe(0)
  expect(top).toBeGreaterThan(0)
  expect(top).toBeLessThan(180)
})

/** Collects the text of a live region after each change, as a screen reader would read it. */
function listen(): void {
  const heard: string[] = []
  const note = ({ target }: MutationRecord) => {
    const element = target instanceof Element ? target : target.parentElement
    const region = element?.closest('[aria-live]:not([aria-live=off]), [role=status], [role=alert]')
    const text = region?.textContent.trim()
    if (text && text !== heard.at(-1)) heard.push(text)
  }
  const watcher = new MutationObserver((changes) => changes.forEach(note))
  watcher.observe(document.body, { subtree: true, childList: true, characterData: true })
  Object.assign(window, { heard })
}
const takeHeard = () =>
  page.evaluate(() => (window as unknown as { heard: string[] }).heard.splice(0))
const getFocused = () => page.evaluate(() => document.activeElement?.textContent.trim())

test('a screen reader hears each change once', async () => {
  const { contact, services } = CONTENT.fr
  const notification = `${contact.notifications.notification} ${contact.failed.title}`
  await revisit()
  await openWithoutBanner(page, `${site.url}/contact`)
  await page.evaluate(listen)
  await submitLater()
  await toast().waitFor()
  await page.waitForFunction(() => (window as unknown as { heard: string[] }).heard.length > 0)
  expect(await takeHeard()).toEqual([`${notification} ${contact.faults.required}`])
  expect(await getFocused()).toContain(contact.form.missing.firstName)
  await follow('/services')
  await page.waitForFunction((title) => document.title.startsWith(title), services.meta.title)
  const title = await page.title()
  expect(await takeHeard()).toEqual([title])
  expect(await getFocused()).toBe(services.headline)
  await toggleTo('en')
  await page.waitForFunction(() => (window as unknown as { heard: string[] }).heard.length > 0)
  expect(await takeHeard()).toEqual([CONTENT.en.nav.languageChanged])
})

test('a screen reader hears once that the banner is open, and a skip link leads to it', async () => {
  const { banner } = CONTENT.fr.privacy
  await revisit()
  const release = await holdBack('**/assets/hydrate-*.js')
  await page.goto(site.url, { waitUntil: 'commit' })
  await page.locator('.footer').waitFor()
  await page.evaluate(listen)
  release()
  await page.locator('.cookie-banner').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await getFocused()).toBe(banner.skip)
  expect(await takeHeard()).toEqual([banner.opened])
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await getFocused()).toBe(banner.link)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await toggleTo('en')
  expect(await takeHeard()).toEqual([CONTENT.en.nav.languageChanged])
  await page.locator('.cookie-banner .close').click()
  expect(await page.locator('.skip-link').count()).toBe(1)
})
