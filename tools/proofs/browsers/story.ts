import { deepEqual, equal, ok } from 'node:assert/strict'
import { CONSENT_KEY } from '../../../client/storage.ts'
import { CONTACT_FIELDS } from '../../../shared/contact-fields.ts'
import { CONTENT } from '../../../shared/content/index.ts'
import { LANGUAGE_KEY, otherLanguage } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { startOver, walk } from '../../harness/keyboard.ts'
import type { Visit } from './visit.ts'

/** Widths of the window. If an engine does not allow the last width, its window stays wider. */
const WIDTHS = [1280, 1024, 320]
const PATHS = [...pages.flatMap(({ path }) => path ?? []), '/no-such-page']
/** Duration of the splash and its exit. */
const SPLASH_MS = 3000
/** Tolerances for the end of the splash: a busy machine may end the splash late, but not early. */
const MAX_EARLY_MS = 50
const MAX_LATE_MS = 2000
const MIN_STOPS = 18
const BANNER = '.cookie-banner'
const ACCEPT = `${BANNER} .actions button:first-child`
const ESSENTIAL = `${BANNER} .actions button:last-child`
const CLOSE = `${BANNER} .close`
const DETAILS = `${BANNER} summary`
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

/** Checks that the notice and the only toast of the page show the outcome. */
async function expectOutcome(visit: Visit, { title, description }: Record<string, string>) {
  await visit.says('.contact-notice', description)
  await visit.says('.toast', description)
  await visit.says('.toast', title)
  ok(await visit.evaluate(() => document.querySelectorAll('.toast').length < 2), 'two toasts')
}

/** Checks the home page, the language toggle, the banner and the form without storage or without cookies. */
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

/** A chapter throws if the site does not work. */
export const CHAPTERS: Record<string, (visit: Visit) => Promise<void>> = {
  async 'every page'(visit) {
    for (const path of PATHS) {
      await visit.enter(path)
      await visit.speaks(visit.language)
      // Close the banner: axe would report the parts of the footer that the banner covers.
      await visit.click(CLOSE)
      for (const width of WIDTHS) {
        await visit.resize(width)
        await visit.evaluate(() => scrollTo(0, 0))
        await visit.examine(`${path.slice(1) || 'home'}-${width}`)
      }
    }
    const [width, inside] = await visit.evaluate(() => [innerWidth, document.body.clientWidth])
    ok(width > inside, 'the scroll bar is not visible')
  },

  async splash(visit) {
    await visit.open('/')
    const time = await visit.evaluate(async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = () => document.querySelector('.splash') ?? resolve()
      new MutationObserver(look).observe(document, { childList: true, subtree: true })
      look()
      await promise
      const [paint] = performance.getEntriesByName('first-contentful-paint')
      return performance.now() - (paint?.startTime ?? Number.NaN)
    })
    await visit.shown(BANNER)
    const late = Math.round(time) - SPLASH_MS
    ok(late > -MAX_EARLY_MS && late < MAX_LATE_MS, `ends ${late} ms late`)
  },

  async 'cookie banner'(visit) {
    for (const width of WIDTHS) {
      await visit.resize(width)
      await visit.enter('/')
      // If a choice is stored, the banner is closed, and this button opens it again.
      await visit.click('.footer .needs-script')
      const before = await visit.stored(CONSENT_KEY)
      await visit.click(DETAILS)
      await visit.shown(`${BANNER} div:nth-child(4) dd`)
      // While the focus is in the banner, an element that is scrolled to may be below it; at the end of the page, none is.
      await visit.evaluate(() => {
        ;(document.activeElement as HTMLElement).blur()
        scrollTo(0, document.body.scrollHeight)
      })
      await visit.examine(`banner-${width}`)
      for (const [control, stored] of [
        [CLOSE, before],
        [ACCEPT, ['accepted', 'accepted']],
        [ESSENTIAL, ['necessary-only', 'necessary-only']],
      ] as const) {
        await visit.click(control)
        await visit.gone(BANNER)
        deepEqual(await visit.stored(CONSENT_KEY), stored)
        await visit.click('.footer .needs-script')
        await visit.shown(BANNER)
      }
    }
    await visit.enter('/services')
    await visit.gone(BANNER)
  },

  async language(visit) {
    const next = otherLanguage(visit.language)
    await visit.enter('/services')
    await visit.click('.toggle')
    await visit.speaks(next)
    deepEqual(await visit.stored(LANGUAGE_KEY), [next, next])
    await visit.open('/services')
    await visit.says('h1', CONTENT[next].services.headline)
  },

  async tooltip(visit) {
    await visit.enter('/')
    const [x, y] = await visit.find('.toggle')
    await visit.mouse.move(x, y)
    await visit.shown('.tooltip')
    for (let step = 1; step < 30; step += 1) await visit.mouse.move(x, y + 5 * step)
    await visit.gone('.tooltip')
    await startOver(visit)
    const hasFocus = () => visit.evaluate(() => document.activeElement?.matches('.toggle'))
    while (!(await hasFocus())) await visit.keyboard.press('Tab')
    await visit.shown('.tooltip')
    await visit.keyboard.press('Escape')
    await visit.gone('.tooltip')
    ok(await hasFocus(), 'Escape takes the focus away')
  },

  async 'menu, back and forward'(visit) {
    const { hero, services } = CONTENT[visit.language]
    await visit.resize(320)
    await visit.enter('/')
    const origin = await visit.getMark()
    await visit.click(CLOSE)
    // The click has scrolled down, so the header has left.
    await visit.evaluate(() => scrollTo(0, 0))
    await visit.wait(() => document.querySelector('.header')?.getBoundingClientRect().top === 0)
    await visit.click('.menu summary')
    await visit.click('.nav a[href="/services"]')
    await visit.says('h1', services.headline)
    await visit.says('title', services.meta.title)
    await visit.wait(() => document.activeElement?.tagName === 'H1' && scrollY === 0)
    await visit.evaluate(() => history.back())
    await visit.says('h1', hero.headline)
    await visit.evaluate(() => history.forward())
    await visit.says('h1', services.headline)
    equal(await visit.getMark(), origin, 'a document was loaded')
  },

  async 'form and toasts'(visit) {
    const { faults, failed, sent } = CONTENT[visit.language].contact
    const refuse = async (change: object, description: string) => {
      await visit.fill({ ...TYPED, ...change })
      await visit.click(SUBMIT)
      await expectOutcome(visit, { ...failed, description })
      deepEqual(await visit.typed(), { ...TYPED, ...change })
    }
    await visit.enter('/contact')
    await visit.click(CLOSE)
    await visit.click('#firstName')
    // Stop the clock of the page, so that the form counts as filled too fast.
    await visit.evaluate(() => void Object.assign(performance, { now: () => 0 }))
    await refuse({}, faults['too-fast'])
    await visit.evaluate(() => Reflect.deleteProperty(performance, 'now'))
    await visit.ripen()
    await refuse({ firstName: '', message: '' }, faults.required)
    // Wait until the toast is gone: examine() would report that the toast covers links of the footer.
    await visit.gone('.toast')
    await visit.examine('errors')
    await visit.click('.error-summary a')
    ok(await visit.evaluate(() => document.activeElement?.id === 'firstName'), 'no focus')
    await refuse({ email: 'zoe@exemple' }, faults['email-invalid'])
    await refuse({ message: 'court' }, faults['message-too-short'])
    await refuse(
      { message: 'é'.repeat(CONTACT_FIELDS.message.maxLength + 1) },
      faults['message-too-long'],
    )
    for (const message of ['Un premier message', 'Un deuxième message']) {
      await send(visit, { message })
      await expectOutcome(visit, sent)
      await visit.wait(() => document.querySelector<HTMLInputElement>('#message')?.value === '')
    }
  },

  async 'keyboard walk'(visit) {
    for (const width of WIDTHS) {
      for (const path of ['/', '/contact']) {
        await visit.resize(width)
        await visit.enter(path)
        await visit.shown(BANNER)
        await startOver(visit)
        const { stops, faults } = await walk(visit)
        deepEqual({ width, path, faults }, { width, path, faults: [] })
        ok(stops > MIN_STOPS, `only ${stops} stops`)
      }
    }
  },

  'no storage': visitBlocked,
  'no cookies': visitBlocked,

  async 'no script'(visit) {
    const { language } = visit
    for (const path of PATHS) {
      await visit.open(`${path}?lang=${language}`)
      const found = await visit.evaluate(() =>
        ['h1', '.nav a', '.footer-links a', '.splash', '.cookie-banner', '.needs-script'].filter(
          (each) => document.querySelector(each)?.getClientRects().length,
        ),
      )
      deepEqual(found, ['h1', '.nav a', '.footer-links a'])
    }
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
