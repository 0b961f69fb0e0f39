import { MIN_FILL_MS } from '../../shared/contact-fields.ts'
import { describeRefusal } from '../../shared/contact-sentences.ts'
import { CONTENT, en, fr } from '../../shared/content/index.ts'
import { LANGUAGES, type Language } from '../../shared/language.ts'
import { open, skipSplash } from '../../tools/harness/browser.ts'
import { context, page, pass, ripen, setUpVisits, site, visit } from '../support/visits.ts'
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
const NOTHING = {}
const LONG = 'é'.repeat(2001)
const TOO_EARLY = 'too early'

setUpVisits({ CONTACT_LIMIT: '1000' })
beforeEach(() => visit({ ...STILL, viewport: { width: 1280, height: 900 } }))

const sentNotice = () => page.locator('.sent-notice')
const lastMessage = async () => (await site.messages()).at(-1)
/** Makes the message unique, because the inbox stores a repeated message only once. */
const unique = (text: string) => ({ ...TYPED, message: `${TYPED.message}\n${text}` })

async function openForm(typed: Partial<typeof TYPED> = {}, language = 'fr'): Promise<void> {
  await open(page, `${site.url}/contact?lang=${language}`)
  await fillForm(typed)
}

/** Fills in the form and sends it when it is no longer too early. */
async function send(typed: Partial<typeof TYPED> = TYPED, language = 'fr'): Promise<void> {
  await openForm(typed, language)
  await submitLater()
}

const expectEmpty = async () => expect(Object.values(await readForm()).join('')).toBe('')

async function leaveAndReturn(): Promise<void> {
  await follow('/services')
  await page.waitForFunction((text) => document.title.startsWith(text), fr.services.meta.title)
  await page.goBack()
  await submit().waitFor()
}

describe.each(LANGUAGES)('in %s', (language) => {
  const sent = SENT[language]

  test('a request is sent, confirmed, and kept as typed', async () => {
    const typed = unique(`script ${language}`)
    await send(typed, language)
    await toast().waitFor()
    for (const text of sent) expect(await toast().textContent()).toContain(text)
    expect(await sentNotice().textContent()).toContain(sent[0])
    await expectEmpty()
    const kept = await lastMessage()
    expect(kept).toMatchObject({ ...typed, language, status: 'new' })
    expect(await sentNotice().textContent()).toContain(kept?.reference)
    expect(await toast().textContent()).not.toContain(kept?.reference)
  })

  test('without JavaScript it is sent too, after errors that keep the typed text', async () => {
    await visit({ javaScriptEnabled: false })
    const typed = unique(`plain ${language}`)
    await page.goto(`${site.url}/contact?lang=${language}`)
    await fillForm({ ...typed, message: 'court' })
    await submitLater()
    await page.locator('#message-error').waitFor()
    expect(await page.locator('#message').inputValue()).toBe('court')
    expect(await page.locator('#service').inputValue()).toBe(typed.service)
    await fillForm({ message: typed.message })
    await ripen()
    await page.locator('#firstName').press('Enter')
    await sentNotice().waitFor()
    expect(page.url()).toMatch(new RegExp(`/contact\\?sent=RG-\\w+-\\w+&lang=${language}#request$`))
    expect(await sentNotice().textContent()).toContain(sent[0])
    expect(await lastMessage()).toMatchObject({ ...typed, language, status: 'new' })
  })
})

test.each(LANGUAGES)(
  'refused before hydration, a form in %s keeps text and age',
  async (language) => {
    const typed = unique(`before hydration ${language}`)
    const release = await holdBack('**/assets/hydrate-*.js')
    await page.goto(`${site.url}/contact`, { waitUntil: 'commit' })
    await fillForm({ ...typed, firstName: 'Zoé', service: 'francophone', message: 'court' })
    await submit().click()
    await page.locator('#message-error').waitFor()
    await fillForm(typed)
    if (language === 'en') await toggle().press('Enter')
    await page.locator(`html[lang=${language}] #contact-form`).waitFor()
    release()
    await skipSplash(page)
    expect(await readForm()).toEqual(typed)
    if (language === 'fr') await leaveAndReturn()
    expect(await readForm()).toEqual(typed)
    // The form was opened before this document: only the server knows when.
    site.clock.time += MIN_FILL_MS
    await page.locator('#firstName').press('Enter')
    await sentNotice().waitFor()
    expect(await lastMessage()).toMatchObject({ ...typed, language })
  },
)

const faulty = (change: Partial<typeof TYPED>) => ({ ...TYPED, ...change })
test.each([
  [TOO_EARLY, {}, 'Veuillez prendre le temps de bien remplir le formulaire.'],
  ['empty', NOTHING, 'Veuillez remplir tous les champs obligatoires.'],
  ['a bad address', faulty({ email: 'zoe@exemple' }), 'Veuillez entrer une adresse email valide.'],
  ['a short one', faulty({ message: 'court' }), 'Le message doit contenir au moins 10 caractères.'],
  ['a long one', faulty({ message: LONG }), 'Le message ne peut pas dépasser 2000 caractères.'],
])('%s is refused in toast and field, and keeps the typed text', async (name, typed, sentence) => {
  const isTooEarly = name === TOO_EARLY
  const posts = watchPosts()
  // On a slow machine, filling takes longer than the least time.
  if (isTooEarly)
    await context.addInitScript(() => void Object.assign(performance, { now: () => 0 }))
  await openForm(typed)
  if (!isTooEarly) await ripen()
  await submit().click()
  await toast().waitFor()
  expect(await toast().getAttribute('data-variant')).toBe('destructive')
  expect(await toast().textContent()).toContain(`${fr.contact.failed.title} ${sentence}`)
  expect(await summary().textContent()).toContain(sentence)
  expect(await page.evaluate(() => document.activeElement?.className)).toContain('contact-notice')
  expect(await page.title()).toMatch(new RegExp(`^${fr.contact.form.errorPrefix} `))
  expect(await readForm()).toMatchObject(typed)
  expect(posts).toEqual([])
  if (!isTooEarly) {
    const link = summary().locator('a').first()
    const field = page.locator((await link.getAttribute('href')) ?? '')
    await link.click()
    expect(await field.evaluate((each) => each === document.activeElement)).toBe(true)
    expect(await field.getAttribute('tabindex')).toBeNull()
    expect(await page.title()).toMatch(new RegExp(`^${fr.contact.form.errorPrefix} `))
    const invalid = page.locator('[aria-invalid=true]').first()
    const described = await invalid.getAttribute('aria-describedby')
    // The sentence beside an empty field names the field; that in the toast does not.
    const beside = typed === NOTHING ? fr.contact.form.missing.firstName : sentence
    expect(await page.locator(`#${described?.split(' ').at(-1)}`).textContent()).toBe(beside)
  }
})

test('a second submit while the first is pending is ignored, also by a form that was opened again', async () => {
  const posts = watchPosts()
  const release = await holdBack('**/api/contact')
  await openForm(unique('double'))
  await ripen()
  await page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('.contact-form form')
    form?.requestSubmit()
    form?.requestSubmit()
  })
  await leaveAndReturn()
  await page.evaluate(() =>
    document.querySelector<HTMLFormElement>('.contact-form form')?.requestSubmit(),
  )
  await page.locator('button[aria-disabled=true] .icon-spinner').waitFor()
  expect(await submit().textContent()).toBe(fr.contact.form.submitting)
  release()
  await sentNotice().waitFor()
  await expectEmpty()
  await leaveAndReturn()
  await expectEmpty()
  expect(posts).toHaveLength(1)
  expect(JSON.parse(posts[0] ?? '')).toMatchObject({ website: '', url: '', phone_hidden: '' })
  expect(await submit().isEnabled()).toBe(true)
})

test('a trap filled by a password manager does not lose the message', async () => {
  const typed = unique('trap')
  await openForm(typed)
  await page.evaluate(() => {
    for (const name of ['website', 'url', 'phone_hidden']) {
      document.querySelector<HTMLInputElement>(`[name=${name}]`)?.setAttribute('value', 'https://x')
    }
  })
  await submitLater()
  await toast().waitFor()
  expect(await lastMessage()).toMatchObject({ ...typed, status: 'new' })
})

test.each([
  [-86_400_000, 1],
  [86_400_000, 2],
])('a clock %d ms wrong costs at most one press, also in Firefox 115', async (error, presses) => {
  const typed = unique(`clock ${error}`)
  await context.addInitScript((offset) => {
    const real = Date.now
    Date.now = () => real() + offset
    Reflect.deleteProperty(String.prototype, 'isWellFormed')
  }, error)
  await open(page, site.url)
  await follow('/contact')
  await fillForm(typed)
  const posts = watchPosts()
  await submitLater()
  if (presses > 1) {
    await summary().filter({ hasText: fr.contact.faults['too-fast'] }).waitFor()
    expect(posts).toHaveLength(1)
    await submitLater()
  }
  await toast().filter({ hasText: SENT.fr[0] }).waitFor()
  expect(posts).toHaveLength(presses)
  expect(await lastMessage()).toMatchObject(typed)
})

const REFUSAL = { status: 429, body: 'Vous avez…', contentType: 'text/plain' }

test.each([
  ['the sentence of a refusal', REFUSAL, '429: Vous avez…'],
  ['the status text of an empty answer', { status: 503, body: '' }, '503: Service Unavailable'],
  ['the fallback for a proxy’s page', { ...REFUSAL, contentType: 'text/html' }, FAILED],
  ['the fallback for JSON', { ...REFUSAL, contentType: 'application/problem+json' }, FAILED],
  ['the fallback for no answer', undefined, FAILED],
])('a failure shows %s and keeps the typed text', async (_, answer, sentence) => {
  await page.route('**/api/contact', (route) => (answer ? route.fulfill(answer) : route.abort()))
  await send()
  await toast().waitFor()
  expect(await toast().textContent()).toContain(`${fr.contact.failed.title} ${sentence}`)
  expect(await summary().textContent()).toContain(sentence)
  expect(await readForm()).toEqual(TYPED)
})

function expectLimit(language: Language): Promise<void> {
  const { contact, errors } = CONTENT[language]
  const hasText = describeRefusal(
    { code: 'limit-reached', retryAfterSeconds: 1800 },
    {
      limit: { count: 1000, windowMinutes: 60 },
      texts: { ...contact, problems: errors.problems },
      language,
    },
  )
  return summary().filter({ hasText }).waitFor()
}

test('an answer without a reference confirms the request too', async () => {
  await page.route('**/api/contact', (route) => route.fulfill({ json: {} }))
  await send()
  await sentNotice().filter({ hasText: SENT.fr[0] }).waitFor()
  expect(await sentNotice().textContent()).not.toContain('RG-')
})

test('a refusal changes its language with the page', async () => {
  const headers = { 'Problem-Code': 'limit-reached', 'Retry-After': '1800' }
  await page.route('**/api/contact', (route) => route.fulfill({ ...REFUSAL, headers }))
  await send()
  await expectLimit('fr')
  await toggle().click()
  await expectLimit('en')
  expect(await readForm()).toEqual(TYPED)
})

test('the outcome of a message under way is said in the language that is shown then, beside newer text', async () => {
  const release = await holdBack('**/api/contact')
  await send(unique('toggled'))
  await fillForm({ message: 'newer' })
  await toggleTo('en')
  release()
  for (const text of SENT.en) await toast().filter({ hasText: text }).waitFor()
  await toggle().click()
  await toast().waitFor({ state: 'detached' })
  await sentNotice().filter({ hasText: SENT.fr[0] }).waitFor()
  expect(await readForm()).toEqual({ ...TYPED, message: 'newer' })
})

test('offline, a form fails at once, and keeps the typed text', async () => {
  await openForm(TYPED)
  await page.waitForLoadState('networkidle')
  await ripen()
  await context.setOffline(true)
  await submit().click()
  await toast().filter({ hasText: FAILED }).waitFor()
  expect(await readForm()).toEqual(TYPED)
  expect(await submit().isEnabled()).toBe(true)
})

test('the message is sent when the code of toasts cannot be loaded, and a later one waits for it', async () => {
  const chunk = '**/assets/overlays-*.js'
  await page.route(chunk, (route) => route.fulfill({ status: 404, body: '' }))
  const typed = unique('without toasts')
  await send(typed)
  await sentNotice().waitFor()
  expect(await lastMessage()).toMatchObject(typed)
  const release = await holdBack(chunk)
  await submit().click()
  await summary().waitFor()
  expect(await toast().count()).toBe(0)
  release()
  await toast().waitFor()
})

test('a form whose properties are hidden by fields of an extension is sent', async () => {
  const typed = unique('hidden properties')
  await openForm(typed)
  await page.evaluate(() => {
    const form = document.querySelector('.contact-form form')
    const names = 'submit action method reset elements isConnected contains querySelectorAll'
    for (const name of names.split(' ')) {
      const field = Object.assign(document.createElement('input'), { type: 'hidden', name })
      form?.append(field)
    }
  })
  await submitLater()
  await sentNotice().waitFor()
  expect(await lastMessage()).toMatchObject(typed)
  await expectEmpty()
})

test('while a message is under way, a status says so and the focus stays; it ends after 30 s without an answer', async () => {
  const posts = watchPosts()
  await page.route('**/api/contact', () => posts.length > 1 && page.unroute('**/api/contact'))
  const typed = unique('no answer')
  await page.clock.install()
  await openForm(typed)
  await pass(MIN_FILL_MS)
  await submit().focus()
  await page.keyboard.press('Enter')
  const status = page.locator('.contact-form [role=status]')
  await status.filter({ hasText: fr.contact.form.submitting }).waitFor()
  expect(await submit().evaluate((each) => each === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.clock.fastForward(15_000)
  expect(await submit().isEnabled()).toBe(false)
  await page.clock.fastForward(15_000)
  await summary().getByText(fr.contact.failed.description).waitFor()
  expect(await status.textContent()).toBe('')
  expect(posts).toHaveLength(1)
  await leaveAndReturn()
  expect(await readForm()).toEqual(typed)
  await page.unroute('**/api/contact')
  await submit().click()
  await sentNotice().waitFor()
  expect(await lastMessage()).toMatchObject(typed)
})

test('a field says that it is required, and is invalid only after a refusal', async () => {
  await openForm()
  const required = page.locator('.field [aria-required=true]')
  expect(await required.count()).toBe(4)
  expect(await page.locator('.field :is([aria-invalid], :invalid)').count()).toBe(0)
  await submit().click()
  await summary().waitFor()
  expect(await page.locator('.field [aria-invalid=true]').count()).toBe(4)
})

test('browsers correct neither names nor the address', async () => {
  await openForm()
  const email = page.locator('#email')
  for (const [name, value] of Object.entries({
    inputmode: 'email',
    autocomplete: 'email',
    autocapitalize: 'none',
    autocorrect: 'off',
    spellcheck: 'false',
  }))
    expect(await email.getAttribute(name)).toBe(value)
  expect(await page.locator('#lastName').getAttribute('autocorrect')).toBe('off')
})

test('a toast closes after 5 s, or when it is swiped 50 px to the right', async () => {
  await openForm()
  await page.locator('[role=region]').waitFor({ state: 'attached' })
  await stopClock()
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
  await visit({ ...STILL, hasTouch: true })
  await openForm()
  await page.locator('[role=region]').waitFor({ state: 'attached' })
  await stopClock()
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

test('the region of notifications has its name and its key before a toast', async () => {
  await openForm()
  const region = page.getByRole('region', { name: /^Notifications/ })
  await region.waitFor({ state: 'attached' })
  await page.keyboard.press('F8')
  await page.waitForFunction(() => document.activeElement?.closest('[role=region]'))
})

test('a closed toast gives the focus back, and the next one still closes by itself', async () => {
  // Visit with motion, so that the toast is removed only after its animation.
  await visit()
  const noticeHasFocus = () =>
    page.waitForFunction(() => document.activeElement?.closest('.contact-notice'))
  await openForm()
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
  expect(await page.locator('.toast').count()).toBe(1)
  await page.mouse.move(5, 5)
  await toast().waitFor({ state: 'detached' })
  await submit().click()
  await toast().waitFor()
  await page.locator('#email').focus()
  await page.keyboard.press('F8')
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.activeElement?.id === 'email')
  await toast().waitFor({ state: 'detached' })
})

describe('the contact page wears the colours of a sector', () => {
  const hero = () => page.locator('.hero')
  const eyebrow = () => page.locator('.hero .eyebrow')

  test('that a link names, without JavaScript too', async () => {
    await visit({ javaScriptEnabled: false })
    await page.goto(`${site.url}/contact?service=animal-aid&lang=en`)
    expect(await hero().getAttribute('data-sector')).toBe('animal-first-aid')
    expect(await eyebrow().textContent()).toBe(en.divisions.items['animal-first-aid'].title)
    await page.goto(`${site.url}/contact?lang=en`)
    expect(await hero().getAttribute('data-sector')).toBeNull()
  })

  test('that the visitor comes from, and then that of the form', async () => {
    await open(page, `${site.url}/public-safety`)
    await page.locator('.hero .button').click()
    await page.locator('.contact-form').waitFor()
    expect(await hero().getAttribute('data-sector')).toBe('public-safety')
    await page.locator('#service').selectOption('health-safety')
    expect(await eyebrow().textContent()).toBe(fr.divisions.items['health-safety'].title)
    expect(await page.locator('.contact').getAttribute('data-sector')).toBe('health-safety')
    await page.locator('#service').selectOption('')
    expect(await eyebrow().count()).toBe(0)
  })
})
