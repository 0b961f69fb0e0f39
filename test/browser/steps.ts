import type { Locator } from 'playwright-core'
import type { TypedField } from '../../shared/contact-fields.ts'
import type { Language } from '../../shared/language.ts'
import { findPage, pages } from '../../shared/pages.ts'
import type { Page } from '../../tools/harness/browser.ts'
import { startOver, walk } from '../../tools/harness/keyboard.ts'
import { page, reports, ripen } from '../support/visits.ts'

export const PATHS = [...pages.flatMap(({ path }) => path ?? []), '/no-such-page']

/** Omits /test-404, because /no-such-page is like that page. */
export const listPaths = (language: Language) =>
  PATHS.filter(
    (path) => path !== '/test-404' && (findPage(path)?.language ?? language) === language,
  )

/** Switches animations off, for suites that test none: the petals of the hero cost CPU time. */
export const STILL = { reducedMotion: 'reduce' } as const

export const toggle = () => page.locator('.toggle')
export const banner = () => page.locator('.cookie-banner')
export const submit = () => page.locator('.contact-form button[type=submit]')
/** Sends the form when it is no longer too early. */
export async function submitLater(): Promise<void> {
  await ripen()
  await submit().click()
}

export const toast = () => page.locator('.toast')
export const summary = () => page.locator('.error-summary')

export const getLanguage = () => page.evaluate(() => document.documentElement.lang)

export const waitForLanguage = (language: Language) =>
  page.waitForFunction((lang) => document.documentElement.lang === lang, language)

export async function toggleTo(language: Language): Promise<void> {
  await toggle().click()
  await waitForLanguage(language)
}

/** `pauseAt` needs a time in the future, and the clock runs after `install`: one hour is always in the future. */
export async function stopClock(): Promise<void> {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(3_600_000)
}

/** Taps twice on a place, 300 ms apart, as on a phone, which does not count clicks; waits in between. */
export async function tapTwice(control: Locator, wait: () => Promise<unknown>): Promise<void> {
  // React replaces the toggle when its tooltip comes: it has no box for a moment.
  let box = await control.boundingBox()
  while (!box) box = await control.boundingBox()
  const { x, y, width, height } = box
  const tap = (timeStamp: number) =>
    page.evaluate(
      ([clientX = 0, clientY = 0, value = 0]) => {
        const options = { bubbles: true, cancelable: true, detail: 1, pointerType: 'touch' }
        const click = new PointerEvent('click', { ...options, clientX, clientY })
        Object.defineProperty(click, 'timeStamp', { value })
        document.elementFromPoint(clientX, clientY)?.dispatchEvent(click)
      },
      [x + width / 2, y + height / 2, timeStamp],
    )
  await tap(0)
  await wait()
  await tap(300)
}

/** Follows a link of the header without loading a document. */
export const follow = (path: string) => page.locator(`.nav a[href="${path}"]`).click()

/** For an init script: the page does not load code while it is idle. */
export function neverIdle(): void {
  window.requestIdleCallback = () => 0
}

/** Holds these requests back until the returned function is called. */
export async function holdBack(pattern: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(pattern, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** The bodies of the posts that the page sends from now on. */
export function watchPosts(): (string | null)[] {
  const posts: (string | null)[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request.postData())
  })
  return posts
}

export const TYPED = {
  firstName: 'Zoé-Ève',
  lastName: 'L’Écuyer-O’Neil',
  email: "o'neil+essai@sub.exemple.ca",
  service: 'health-safety',
  message: 'Bonjour, ça va? « Oui »\n\nDeuxième paragraphe : œuvre, naïveté.',
} satisfies Record<TypedField, string>

export async function fillForm(fields: Partial<typeof TYPED> = TYPED): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    const field = page.locator(`#${name}`)
    if (name === 'service') await field.selectOption(value)
    else await field.fill(value)
  }
}

export const readForm = () =>
  page.evaluate(
    (names) =>
      Object.fromEntries(
        names.map((name) => [name, document.querySelector<HTMLInputElement>(`#${name}`)?.value]),
      ),
    Object.keys(TYPED),
  )

/** Shows the page in a colour scheme of the system, once its transitions have ended. */
export async function setScheme(through: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await through.emulateMedia({ colorScheme })
  await through.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  )
}

/** Every page has more Tab stops, because every page has the header, footer and banner. */
const MIN_STOPS = 18

/** Presses Tab from the start to the end of a page. */
export async function expectWalk(through: Page): Promise<void> {
  await startOver(through)
  const { stops, faults } = await walk(through)
  expect(faults).toEqual([])
  expect(stops).toBeGreaterThan(MIN_STOPS)
}

/** The errors that the visit's pages have reported since the last call. */
export const takeReports = () => reports.splice(0)
