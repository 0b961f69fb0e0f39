import { CONTENT } from '../../shared/content/index.ts'
import { LANGUAGES, type Language, otherLanguage } from '../../shared/language.ts'
import { findViolations, open, openWithoutBanner } from '../../tools/harness/browser.ts'
import { startOver, walk } from '../../tools/harness/keyboard.ts'
import { findForeign } from '../support/languages.ts'
import { page, ripen, setUpVisits, site, visit } from '../support/visits.ts'
import {
  banner,
  expectWalk,
  fillForm,
  follow,
  submit,
  submitEmptyForm,
  toast,
  toggleTo,
} from './steps.ts'

setUpVisits({ CONTACT_LIMIT: '100' })

const openPage = (width: number) => visit({ viewport: { width, height: 800 } })

async function openDetails(): Promise<void> {
  await page.locator('.cookie-details summary').click()
  await page.locator('.cookie-details dd').first().waitFor()
}

const NARROW_ONLY = 'menu open'

const STATES: Record<string, (language: Language) => Promise<void>> = {
  [NARROW_ONLY]: async (language) => {
    await openWithoutBanner(page, `${site.url}/services?lang=${language}`)
    await page.locator('.menu summary').click()
    await page.locator('.nav').waitFor()
  },
  'errors and toast shown': async (language) => {
    await page.addInitScript(() => localStorage.setItem('cookie-consent', 'necessary-only'))
    await submitEmptyForm(language)
  },
  sent: async (language) => {
    await openWithoutBanner(page, `${site.url}/contact?lang=${language}`)
    await fillForm()
    await ripen()
    await submit().click()
    await page.locator('.sent-notice').waitFor()
    await toast().waitFor()
  },
  'banner and details open': async (language) => {
    await open(page, `${site.url}/secteurs-activite?lang=${language}`)
    await openDetails()
  },
  'tooltip open': async (language) => {
    await openWithoutBanner(page, `${site.url}/?lang=${language}`)
    await page.locator('.toggle').focus()
    await page.locator('.tooltip').waitFor()
  },
}

const cases = Object.keys(STATES).flatMap((state) =>
  LANGUAGES.flatMap((language) =>
    (state === NARROW_ONLY ? [320] : [320, 1440]).map((width) => [state, language, width] as const),
  ),
)

test.each(cases)(
  '%s, %s, %i px: accessible, of one language, and as wide as the screen',
  async (state, language, width) => {
    await openPage(width)
    await STATES[state]?.(language)
    await page.waitForFunction(() =>
      document.getAnimations().every(({ playState }) => playState !== 'running'),
    )
    expect(await findViolations(page)).toEqual([])
    expect(findForeign(await page.content(), language)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  },
)

const widths = LANGUAGES.flatMap((language) =>
  [390, 1280].map((width) => [language, width] as const),
)

test.each(widths)(
  '%s, %i px: the keyboard is not trapped in a sent form with banner and toast',
  async (language, width) => {
    await openPage(width)
    await open(page, `${site.url}/contact?lang=${language}`)
    await fillForm()
    await ripen()
    await submit().click()
    await toast().hover()
    await expectWalk(page, 0)
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
    await expectWalk(page)
    expect(await toast().count()).toBe(1)
  },
)

test.each(LANGUAGES)('%s, 390 px: a toast does not cover the open menu', async (language) => {
  await openPage(390)
  await submitEmptyForm(language)
  await page.locator('.menu summary').click()
  await toast().hover()
  await startOver(page)
  await expectWalk(page)
  expect(await toast().count()).toBe(1)
})

/** Collects the texts of live regions as a screen reader gets them. */
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

test.each(LANGUAGES)('%s: a screen reader hears each change once', async (language) => {
  const { contact, services } = CONTENT[language]
  const notification = `${contact.notifications.notification} ${contact.failed.title}`
  await openPage(1280)
  await openWithoutBanner(page, `${site.url}/contact?lang=${language}`)
  await page.evaluate(listen)
  await ripen()
  await submit().click()
  await toast().waitFor()
  await page.waitForFunction(() => (window as unknown as { heard: string[] }).heard.length > 0)
  expect(await takeHeard()).toEqual([`${notification} ${contact.faults.required}`])
  expect(await getFocused()).toContain(contact.faults.required)
  await follow('/services')
  await page.waitForFunction((title) => document.title.startsWith(title), services.meta.title)
  const title = await page.title()
  expect(await takeHeard()).toEqual([title])
  expect(await getFocused()).toBe(services.headline)
  await toggleTo(otherLanguage(language))
  await page.waitForFunction(() => (window as unknown as { heard: string[] }).heard.length > 0)
  expect(await takeHeard()).toEqual([CONTENT[otherLanguage(language)].nav.languageChanged])
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
