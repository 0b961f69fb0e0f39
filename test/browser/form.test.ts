import { MIN_FILL_MS, mapFields } from '../../shared/contact-fields.ts'
import { CONTENT, en, fr } from '../../shared/content/index.ts'
import { LANGUAGE_KEY, type Language, otherLanguage } from '../../shared/language.ts'
import { open, skipSplash } from '../../tools/harness/browser.ts'
import {
  addScript,
  context,
  page,
  pass,
  revisit,
  ripen,
  setUpVisits,
  site,
  visit,
} from '../support/visits.ts'
import {
  fillForm,
  follow,
  holdBack,
  readForm,
  STILL,
  stopClock,
  submit,
  submitLater,
  summary,
  TYPED,
  toast,
  toggle,
  toggleTo,
  watchPosts,
} from './steps.ts'

const SENT = {
  fr: ['Message envoyé', 'Merci pour votre message. Nous vous contacterons bientôt!'],
  en: [en.contact.sent.title, en.contact.sent.description],
}
const FAILED = "Une erreur s'est produite lors de l'envoi du message. Veuillez réessayer."
const EMPTY = mapFields(() => '')
const LONG = 'é'.repeat(2001)
const TOO_EARLY = 'too early'
const AN_HOUR = 3_600_000

setUpVisits({ CONTACT_LIMIT: '1000' })

const sentNotice = () => page.locator('.sent-notice')
const lastMessage = async () => (await site.messages()).at(-1)
/** Makes the message unique, because the inbox stores a repeated message only once. */
const unique = (text: string) => ({ ...TYPED, message: `${TYPED.message}\n${text}` })

const openForm = () => open(page, `${site.url}/contact`)

const expectEmpty = async () => expect(await readForm()).toEqual(EMPTY)

async function leaveAndReturn(language: Language): Promise<void> {
  const { title } = CONTENT[language].services.meta
  await follow('/services')
  await page.waitForFunction((text) => document.title.startsWith(text), title)
  await page.goBack()
  await submit().waitFor()
}

describe('a form that is used again and again', () => {
  beforeAll(async () => {
    await revisit()
    await openForm()
  })
  afterEach(async () => {
    await page.unrouteAll()
    await context.setOffline(false)
  })

  async function send(typed: Partial<typeof TYPED> = TYPED): Promise<void> {
    await fillForm(typed)
    await submitLater()
  }

  test('a field says that it is required, is invalid only after a refusal, and is not corrected', async () => {
    expect(await page.locator('.field [aria-required=true]').count()).toBe(4)
    expect(await page.locator('.field :is([aria-invalid], :invalid)').count()).toBe(0)
    const getAttributes = (field: Element) =>
      Object.fromEntries([...field.attributes].map(({ name, value }) => [name, value]))
    expect(await page.locator('#email').evaluate(getAttributes)).toMatchObject({
      inputmode: 'email',
      autocomplete: 'email',
      autocapitalize: 'none',
      autocorrect: 'off',
      spellcheck: 'false',
      dir: 'auto',
    })
    expect(await page.locator('#lastName').getAttribute('autocorrect')).toBe('off')
    await submitLater()
    expect(await page.locator('.field [aria-invalid=true]').count()).toBe(4)
  })

  test('a request is sent, confirmed, and kept as typed', async () => {
    for (const language of ['en', 'fr'] as const) {
      const typed = unique(`script ${language}`)
      await toggleTo(language)
      // Another tab has chosen the other language.
      const value = otherLanguage(language)
      await context.addCookies([{ name: LANGUAGE_KEY, value, url: site.url }])
      await send(typed)
      for (const text of SENT[language]) await toast().filter({ hasText: text }).waitFor()
      expect(await sentNotice().textContent()).toContain(SENT[language][0])
      await expectEmpty()
      const kept = await lastMessage()
      expect(kept).toMatchObject({ ...typed, language, status: 'new' })
      expect(await sentNotice().textContent()).toContain(kept?.reference)
      expect(await toast().textContent()).not.toContain(kept?.reference)
      expect(await toast().getAttribute('data-variant')).toBe('default')
    }
  })

  test.each([
    [TOO_EARLY, {}, 'Veuillez prendre le temps de bien remplir le formulaire.'],
    ['empty', EMPTY, 'Veuillez remplir tous les champs obligatoires.'],
    ['a bad address', { email: 'zoe@exemple' }, 'Veuillez entrer une adresse email valide.'],
    ['a short one', { message: 'court' }, 'Le message doit contenir au moins 10 caractères.'],
    ['a long one', { message: LONG }, 'Le message ne peut pas dépasser 2000 caractères.'],
  ])(
    '%s is refused in toast and field, and keeps the typed text',
    async (name, fields, sentence) => {
      const isTooEarly = name === TOO_EARLY
      const typed = { ...TYPED, ...fields }
      const posts = watchPosts()
      await fillForm(typed)
      await ripen(isTooEarly ? -AN_HOUR : 2 * AN_HOUR)
      await submit().click()
      const hasText = `${fr.contact.failed.title} ${sentence}`
      await page.locator('.toast[data-variant=destructive]').filter({ hasText }).waitFor()
      // The sentence of an empty field names the field; that in the toast does not.
      const own = fields === EMPTY ? fr.contact.form.missing.firstName : sentence
      expect(await summary().textContent()).toContain(own)
      expect(await page.evaluate(() => document.activeElement?.className)).toContain(
        'contact-notice',
      )
      expect(await page.title()).toMatch(new RegExp(`^${fr.contact.form.errorPrefix} `))
      expect(await readForm()).toEqual(typed)
      expect(posts).toEqual([])
      if (isTooEarly) return
      const link = summary().locator('a').first()
      const field = page.locator((await link.getAttribute('href')) ?? '')
      await link.click()
      expect(await field.evaluate((each) => each === document.activeElement)).toBe(true)
      const described = await field.getAttribute('aria-describedby')
      expect(await page.locator(`#${described?.split(' ').at(-1)}`).textContent()).toBe(own)
    },
  )

  const REFUSAL = { status: 429, body: 'Vous avez…', contentType: 'text/plain' }

  test.each([
    ['the sentence of a refusal', REFUSAL, '429: Vous avez…'],
    ['the status text of an empty answer', { status: 503, body: '' }, '503: Service Unavailable'],
    ['the fallback for a proxy’s page', { ...REFUSAL, contentType: 'text/html' }, FAILED],
    ['the fallback for JSON', { ...REFUSAL, contentType: 'application/problem+json' }, FAILED],
    ['the fallback for no network', undefined, FAILED],
  ])('a failure shows %s and keeps the typed text', async (_, answer, sentence) => {
    if (answer) await page.route('**/api/contact?lang=*', (route) => route.fulfill(answer))
    else await context.setOffline(true)
    await send()
    await summary().filter({ hasText: sentence }).waitFor()
    // The notice says that the text is kept, and whom to call.
    expect(await summary().textContent()).toContain(fr.contact.failed.kept)
    for (const scheme of ['tel', 'mailto'])
      expect(await summary().locator(`a[href^="${scheme}:"]`).count()).toBe(1)
    await toast()
      .filter({ hasText: `${fr.contact.failed.title} ${sentence}` })
      .waitFor()
    expect(await readForm()).toEqual(TYPED)
    expect(await submit().isEnabled()).toBe(true)
  })

  test('a refusal changes its language with the page', async () => {
    const headers = { 'Problem-Code': 'limit-reached' }
    await page.route('**/api/contact?lang=*', (route) => route.fulfill({ ...REFUSAL, headers }))
    await send()
    for (const language of ['en', 'fr'] as const) {
      await toggleTo(language)
      const [hasText] = CONTENT[language].errors.problems['limit-reached'].split(' {')
      await summary().filter({ hasText }).waitFor()
    }
  })

  test('a second submit while the first is pending is ignored, also by a form that was opened again', async () => {
    const posts = watchPosts()
    const release = await holdBack('**/api/contact?lang=*')
    await fillForm(unique('double'))
    await ripen()
    const pressTwice = () =>
      page.locator('#contact-form').evaluate((form: HTMLFormElement) => {
        form.requestSubmit()
        form.requestSubmit()
      })
    await pressTwice()
    await leaveAndReturn('fr')
    await pressTwice()
    await page.locator('button:disabled .icon-spinner').waitFor()
    expect(await submit().textContent()).toBe(fr.contact.form.submitting)
    release()
    await sentNotice().waitFor()
    await expectEmpty()
    await leaveAndReturn('fr')
    await expectEmpty()
    expect(posts).toHaveLength(1)
    expect(JSON.parse(posts[0] ?? '')).toMatchObject({ website: '', url: '', phone_hidden: '' })
  })

  test('the outcome of a message under way is said in the language that is shown then, beside newer text', async () => {
    const release = await holdBack('**/api/contact?lang=*')
    await send(unique('toggled'))
    await fillForm({ message: 'newer' })
    await toggleTo('en')
    await page.locator('#message').focus()
    release()
    for (const text of SENT.en) await toast().filter({ hasText: text }).waitFor()
    // The visitor goes on typing.
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('message')
    await toggle().click()
    await toast().waitFor({ state: 'detached' })
    await sentNotice().filter({ hasText: SENT.fr[0] }).waitFor()
    expect(await readForm()).toEqual({ ...TYPED, message: 'newer' })
  })

  test('a failure is said in the language that is shown then, on another page too', async () => {
    const headers = { 'Problem-Code': 'limit-reached' }
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/contact?lang=*', async (route) => {
      await promise
      await route.fulfill({ ...REFUSAL, headers })
    })
    await send()
    await follow('/services')
    await toggleTo('en')
    resolve()
    const [hasText] = en.errors.problems['limit-reached'].split(' {')
    await toast().filter({ hasText }).waitFor()
    await toggleTo('fr')
    await page.goBack()
    await submit().waitFor()
  })

  test('the page wears the colours of the sector that the visitor comes from, and then of that in the form', async () => {
    const hero = page.locator('.hero')
    await follow('/secteurs-activite')
    await page.locator('.sector-tile[data-sector=public-safety] a').click()
    await hero.locator('.button').click()
    await submit().waitFor()
    expect(await hero.getAttribute('data-sector')).toBe('public-safety')
    await fillForm({ service: 'health-safety' })
    const { title } = fr.divisions.items['health-safety']
    expect(await hero.locator('.eyebrow').textContent()).toBe(title)
    expect(await page.locator('.contact').getAttribute('data-sector')).toBe('health-safety')
    await fillForm({ service: '' })
    expect(await hero.locator('.eyebrow').count()).toBe(0)
  })

  test('neither traps that a password manager fills nor fields that an extension adds lose the message', async () => {
    const typed = unique('filled traps')
    await page.evaluate(() => {
      for (const name of ['website', 'url', 'phone_hidden'])
        document.querySelector(`[name=${name}]`)?.setAttribute('value', 'https://x')
      // Fields hide the properties of their form that have the same name.
      const names = 'submit action method reset elements isConnected contains querySelectorAll'
      for (const name of names.split(' ')) {
        const field = Object.assign(document.createElement('input'), { type: 'hidden', name })
        document.querySelector('#contact-form')?.append(field)
      }
    })
    // Without an event.
    await page
      .locator('#service')
      .evaluate((each: HTMLSelectElement) => (each.value = 'animal-aid'))
    const { service: _, ...texts } = typed
    await send(texts)
    await sentNotice().waitFor()
    expect(await lastMessage()).toMatchObject({ ...texts, service: 'animal-aid', status: 'new' })
    await expectEmpty()
  })
})

test('refused before hydration, a form keeps text and age, in the other language too', async () => {
  const typed = unique('before hydration')
  await revisit()
  const release = await holdBack('**/assets/hydrate-*.js')
  await page.goto(`${site.url}/contact`, { waitUntil: 'commit' })
  await fillForm({ ...typed, firstName: 'Zoé', service: 'francophone', message: 'court' })
  await submit().click()
  await page.locator('#message-error').waitFor()
  await fillForm(typed)
  await toggle().press('Enter')
  await page.locator('html[lang=en] #contact-form').waitFor()
  release()
  await skipSplash(page)
  expect(await readForm()).toEqual(typed)
  await leaveAndReturn('en')
  expect(await readForm()).toEqual(typed)
  // The form was opened before this document: only the server knows when.
  site.clock.time += MIN_FILL_MS
  await page.locator('#firstName').press('Enter')
  await sentNotice().waitFor()
  expect(await lastMessage()).toMatchObject({ ...typed, language: 'en' })
})

test('a clock that is a day ahead costs one press, and the next one need not wait, also in Firefox 115', async () => {
  const typed = unique('clock')
  await revisit()
  await addScript(() => {
    const real = Date.now
    Date.now = () => real() + 86_400_000
    Reflect.deleteProperty(String.prototype, 'isWellFormed')
  })
  await open(page, site.url)
  await follow('/contact')
  await fillForm(typed)
  const posts = watchPosts()
  await submitLater()
  await summary().filter({ hasText: fr.contact.faults['too-fast'] }).waitFor()
  expect(posts).toHaveLength(1)
  await submit().click()
  await sentNotice().waitFor()
  expect(posts).toHaveLength(2)
  expect(await lastMessage()).toMatchObject(typed)
})

test('the message is sent before the code of toasts has come, and the toast waits for it', async () => {
  const typed = unique('without toasts')
  await revisit()
  const release = await holdBack('**/assets/overlays-*.js')
  await openForm()
  await fillForm(typed)
  await submitLater()
  await sentNotice().waitFor()
  expect(await lastMessage()).toMatchObject(typed)
  expect(await toast().count()).toBe(0)
  release()
  await toast().filter({ hasText: SENT.fr[0] }).waitFor()
})

test('a closed toast gives the focus back, and the next one still closes by itself', async () => {
  // With motion, so that the toast is removed only after its animation.
  await revisit(undefined, 'no-preference')
  await openForm()
  const noticeHasFocus = () => page.locator('.contact-notice:focus').waitFor()
  await submit().click()
  await toast().waitFor()
  await noticeHasFocus()
  await page.keyboard.press('F8')
  await page.keyboard.press('Tab')
  await page.locator('.toast .close').press('Enter')
  await toast().waitFor({ state: 'detached' })
  await noticeHasFocus()
  await submit().click()
  await toast().waitFor()
  expect(await toast().count()).toBe(1)
  await page.mouse.move(5, 5)
  await toast().waitFor({ state: 'detached' })
})

test('without JavaScript a form in the colours of its sector is sent, after errors that keep the typed text', async () => {
  await visit({ javaScriptEnabled: false })
  const typed = unique('plain')
  await page.goto(`${site.url}/contact?service=animal-aid&lang=en`)
  const { title } = en.divisions.items['animal-first-aid']
  expect(await page.locator('.hero[data-sector=animal-first-aid] .eyebrow').textContent()).toBe(
    title,
  )
  await fillForm({ ...typed, message: 'court' })
  await submitLater()
  await page.locator('#message-error').waitFor()
  expect(await page.locator('#message').inputValue()).toBe('court')
  expect(await page.locator('#service').inputValue()).toBe(typed.service)
  await fillForm({ message: typed.message })
  await ripen()
  await page.locator('#firstName').press('Enter')
  await sentNotice().filter({ hasText: SENT.en[0] }).waitFor()
  expect(page.url()).toMatch(/\/contact\?sent=RG-\w+-\w+&lang=en#request$/)
  expect(await lastMessage()).toMatchObject({ ...typed, language: 'en', status: 'new' })
})

describe('on a clock of the test', () => {
  beforeAll(async () => {
    await visit({ ...STILL, viewport: { width: 1280, height: 900 }, hasTouch: true })
    await openForm()
    await page.getByRole('region', { name: /^Notifications/ }).waitFor({ state: 'attached' })
    await stopClock()
  })

  test('the region of notifications has its name and its key before a toast', async () => {
    const inRegion = page.locator('[role=region]:focus-within')
    for (const modifier of ['Control', 'Alt', 'Shift']) await page.keyboard.press(`${modifier}+F8`)
    await page.evaluate(() => {
      for (const composition of [{ isComposing: true }, { keyCode: 229 }]) {
        const key = { code: 'F8', bubbles: true, ...composition }
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key))
      }
    })
    expect(await inRegion.count()).toBe(0)
    await page.keyboard.press('F8')
    await inRegion.waitFor({ state: 'attached' })
    expect(await toast().count()).toBe(0)
  })

  test('a toast closes after 5 s, or when it is swiped 50 px to the right', async () => {
    const swipe = async (distance: number) => {
      const { x = 0, y = 0 } = (await page.locator('.toast-title').boundingBox()) ?? {}
      await page.mouse.move(x + 5, y + 5)
      await page.mouse.down()
      await page.mouse.move(x + 5 + distance, y + 5, { steps: 5 })
      await page.mouse.up()
    }
    await submit().click()
    await toast().waitFor()
    await page.clock.runFor(4999)
    expect(await toast().count()).toBe(1)
    await page.clock.runFor(1)
    await toast().waitFor({ state: 'detached' })
    await submit().click()
    await toast().waitFor()
    await swipe(-100)
    await swipe(49)
    expect(await toast().count()).toBe(1)
    await swipe(51)
    await toast().waitFor({ state: 'detached' })
  })

  test('a toast that was clicked or touched leaves too; one under the pointer or the focus stays', async () => {
    for (const press of [() => toast().tap(), () => toast().click()]) {
      await submit().click()
      await press()
      await page.mouse.move(5, 5)
      await page.clock.runFor(5000)
      await toast().waitFor({ state: 'detached' })
    }
    await submit().click()
    await toast().hover()
    await page.clock.runFor(6000)
    expect(await toast().count()).toBe(1)
    await page.keyboard.press('F8')
    await page.mouse.move(5, 5)
    await page.clock.runFor(6000)
    expect(await toast().count()).toBe(1)
  })

  test('while a message is under way, a status says so and has the focus; it ends after 30 s without an answer', async () => {
    const typed = unique('no answer')
    const posts = watchPosts()
    await page.route('**/api/contact?lang=*', () => {})
    await page.clock.resume()
    await fillForm(typed)
    await pass(MIN_FILL_MS)
    await submit().focus()
    await page.keyboard.press('Enter')
    const hasText = fr.contact.form.submitting
    await page.locator('.contact-form p:focus').filter({ hasText }).waitFor()
    await page.locator('#firstName').press('Enter')
    await page.locator('.contact-form p', { hasText }).focus()
    await page.clock.fastForward(15_000)
    expect(await submit().isDisabled()).toBe(true)
    await page.clock.fastForward(15_000)
    await summary().getByText(fr.contact.failed.description).waitFor()
    await page.locator('.contact-notice:focus').waitFor()
    expect(await page.locator('.contact-form p', { hasText }).count()).toBe(0)
    expect(posts).toHaveLength(1)
    await leaveAndReturn('fr')
    expect(await readForm()).toEqual(typed)
    await page.unroute('**/api/contact?lang=*')
    await submit().click()
    await sentNotice().waitFor()
    expect(await lastMessage()).toMatchObject(typed)
  })
})
