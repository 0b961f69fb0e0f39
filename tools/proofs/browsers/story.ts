import { deepEqual, equal, ok } from 'node:assert/strict'
import { CONSENT_KEY } from '../../../shared/consent.ts'
import { CONTENT } from '../../../shared/content/index.ts'
import { LANGUAGE_KEY, otherLanguage } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { startOver, walk } from '../../harness/keyboard.ts'
import type { Visit } from './visit.ts'

/** Widths of the window. If an engine does not allow the last width, its window stays wider. */
const WIDTHS = [1280, 320]
const PATHS = [...pages.flatMap(({ path }) => path ?? []), '/no-such-page']
const BANNER = '.cookie-banner'
const ACCEPT = `${BANNER} .actions button:first-child`
const ESSENTIAL = `${BANNER} .actions button:last-child`
const CLOSE = `${BANNER} .close`
const SUBMIT = '.contact-form button[type=submit]'
const TYPED = {
  firstName: 'Zoe',
  lastName: 'L’Écuyer-O’Neil',
  email: "o'neil+essai@sub.exemple.ca",
  message: 'Bonjour, ça va? « Oui »',
}

async function send(visit: Visit, change = {}): Promise<void> {
  await visit.fill({ ...TYPED, ...change })
  await visit.ripen()
  await visit.click(SUBMIT)
}

/** Checks the banner, the toggle and the form without storage or without cookies. */
async function visitBlocked(visit: Visit): Promise<void> {
  const next = otherLanguage(visit.language)
  await visit.enter('/')
  await visit.click(ACCEPT)
  await visit.gone(BANNER)
  await visit.click('.toggle')
  await visit.speaks(next)
  await visit.click('.nav a[href="/contact"]')
  await visit.says('h1', CONTENT[next].contact.headline)
  await send(visit)
  await visit.shown('.sent-notice')
}

async function visitPages(visit: Visit): Promise<void> {
  for (const path of PATHS) {
    await visit.enter(path)
    await visit.speaks(visit.language)
    // Close the banner: axe would report the parts of the footer that the banner covers.
    await visit.click(CLOSE)
    for (const width of WIDTHS) {
      await visit.resize(width)
      await visit.examine(`${path.slice(1) || 'home'}-${width}`)
    }
  }
}

/** A chapter throws if the site does not work. */
export const CHAPTERS: Record<string, (visit: Visit) => Promise<void>> = {
  'every page': visitPages,

  async dark(visit) {
    await visit.enter('/')
    await visit.wait(() => matchMedia('(prefers-color-scheme: dark)').matches)
    await visitPages(visit)
  },

  async 'cookie banner'(visit) {
    for (const [control, stored] of [
      [CLOSE, null],
      [ACCEPT, 'accepted'],
      [ESSENTIAL, 'necessary-only'],
    ] as const) {
      await visit.enter('/')
      // If a choice is stored, the banner is closed, and this button opens it again.
      await visit.click('.footer .needs-script')
      await visit.click(`${BANNER} summary`)
      await visit.shown(`${BANNER} div:nth-child(4) dd`)
      await visit.click(control)
      await visit.gone(BANNER)
      equal(await visit.stored(CONSENT_KEY), stored)
    }
    await visit.enter('/services')
    await visit.gone(BANNER)
  },

  async 'language, menu and history'(visit) {
    const next = otherLanguage(visit.language)
    const { headlines, services } = CONTENT[next]
    await visit.resize(320)
    await visit.enter('/')
    await visit.click(CLOSE)
    await visit.click('.toggle')
    await visit.speaks(next)
    equal(await visit.stored(LANGUAGE_KEY), next)
    await visit.click('.menu summary')
    await visit.click('.nav a[href="/services"]')
    await visit.says('h1', services.headline)
    await visit.says('title', services.meta.title)
    await visit.wait(() => document.activeElement?.tagName === 'H1' && scrollY === 0)
    await visit.evaluate(() => history.back())
    await visit.says('h1', headlines.home)
    await visit.open('/services')
    await visit.says('h1', services.headline)
  },

  async 'form and toasts'(visit) {
    const { faults, failed, sent } = CONTENT[visit.language].contact
    const expectToast = async ({ title, description }: Record<string, string>) => {
      await visit.says('.toast', title)
      await visit.says('.toast', description)
    }
    const refuse = async (change: object, description: string) => {
      await send(visit, change)
      await expectToast({ ...failed, description })
      deepEqual(await visit.typed(), { ...TYPED, ...change })
    }
    await visit.enter('/contact')
    await visit.click(CLOSE)
    await refuse({ firstName: '', message: '' }, faults.required)
    await refuse({ email: 'zoe@exemple' }, faults['email-invalid'])
    await refuse({ message: 'court' }, faults['message-too-short'])
    await send(visit)
    await expectToast(sent)
    await visit.wait(() => document.querySelector<HTMLInputElement>('#message')?.value === '')
  },

  async 'keyboard walk'(visit) {
    for (const width of WIDTHS) {
      await visit.resize(width)
      await visit.enter('/contact')
      // In a tall field, browsers scroll to the caret alone; above the banner, to the whole field.
      await visit.shown(BANNER)
      await startOver(visit)
      const { stops, faults } = await walk(visit)
      deepEqual({ width, faults }, { width, faults: [] })
      ok(stops > 18, `only ${stops} stops`)
    }
  },

  'no storage': visitBlocked,
  'no cookies': visitBlocked,

  async 'no script'(visit) {
    const { language } = visit
    await visit.open(`/contact?lang=${language}`)
    await send(visit, { message: 'court' })
    await visit.shown('#message-error')
    deepEqual(await visit.typed(), { ...TYPED, message: 'court' })
    await send(visit)
    await visit.shown('.sent-notice')
    await visit.click('.toggle')
    await visit.speaks(otherLanguage(language))
  },
}
