import { MINIMUM_FILL_TIME } from '../../shared/constants.ts'
import { en } from '../../shared/content/en.ts'
import { fr } from '../../shared/content/fr.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { open } from '../../tools/harness/browser.ts'
import { soon } from '../support/site.ts'
import { context, page, pass, ripen, setUpVisits, site, visit } from '../support/visits.ts'

const TYPED = {
  firstName: 'Zoé-Ève',
  lastName: 'L’Écuyer-O’Neil',
  email: "o'neil+essai@sub.exemple.ca",
  service: 'health-safety',
  message: 'Bonjour, ça va? « Oui »\n\nDeuxième paragraphe : œuvre, naïveté.',
}
const SENT = {
  fr: ['Message envoyé', 'Merci pour votre message. Nous vous contacterons bientôt!'],
  en: [en.contact.sent.title, en.contact.sent.description],
}

const NOTHING = {}

setUpVisits({ CONTACT_LIMIT: '1000' })
beforeEach(() => visit({ viewport: { width: 1280, height: 900 } }))

async function fill(fields: Partial<typeof TYPED> = TYPED): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    const field = page.locator(`#${name}`)
    if (name === 'service') await field.selectOption(value)
    else await field.fill(value)
  }
}
const values = () =>
  page.evaluate(
    (names) =>
      Object.fromEntries(
        names.map((name) => [name, (document.getElementById(name) as HTMLInputElement).value]),
      ),
    Object.keys(TYPED),
  )
const submit = () => page.locator('.contact-form button[type=submit]')
const toast = () => page.locator('.toast')
const lastMessage = async () =>
  (await site.inbox.list({ limit: 1, order: 'newest-first' }, soon()))[0]
/** A message of its own, since the same content twice is one message. */
const unique = (text: string) => ({ ...TYPED, message: `${TYPED.message}\n${text}` })

describe.each(LANGUAGES)('in %s', (language) => {
  const sent = SENT[language]

  test('a request is sent, said so, and kept as typed', async () => {
    const typed = unique(`script ${language}`)
    await open(page, `${site.url}/contact?lang=${language}`)
    await fill(typed)
    await ripen()
    await submit().click()
    await toast().waitFor()
    for (const text of sent) expect(await toast().textContent()).toContain(text)
    expect(await page.locator('.sent-notice').textContent()).toContain(sent[0])
    expect(Object.values(await values()).join('')).toBe('')
    expect(await lastMessage()).toMatchObject({ ...typed, language, status: 'new' })
  })

  test('without JavaScript likewise, after errors that keep what was typed', async () => {
    await visit({ javaScriptEnabled: false })
    const typed = unique(`plain ${language}`)
    await page.goto(`${site.url}/contact?lang=${language}`)
    await fill({ ...typed, message: 'court' })
    await ripen()
    await submit().click()
    await page.locator('#message-error').waitFor()
    expect(await page.locator('#message').inputValue()).toBe('court')
    expect(await page.locator('#service').inputValue()).toBe(typed.service)
    await fill({ message: typed.message })
    await ripen()
    await submit().click()
    await page.locator('.sent-notice').waitFor()
    expect(page.url()).toMatch(new RegExp(`/contact\\?sent=RG-\\w+-\\w+&lang=${language}#request$`))
    expect(await page.locator('.sent-notice').textContent()).toContain(sent[0])
    expect(await lastMessage()).toMatchObject({ ...typed, language, status: 'new' })
  })

  test('what is typed before a late script is kept, and sent by it', async () => {
    const typed = unique(`late ${language}`)
    const scripts = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await scripts.promise
      await route.continue()
    })
    await page.goto(`${site.url}/contact?lang=${language}`, { waitUntil: 'commit' })
    await page.locator('.splash').waitFor({ state: 'hidden' })
    await fill(typed)
    scripts.resolve()
    await page.locator('.splash').waitFor({ state: 'detached' })
    expect(await values()).toEqual(typed)
    await submit().click()
    await toast().waitFor()
    expect(await lastMessage()).toMatchObject({ ...typed, language, status: 'new' })
  })
})

test('a form that is sent before hydration goes the way without JavaScript', async () => {
  const typed = unique('before hydration')
  await page.route('**/assets/*.js', () => {})
  await page.goto(`${site.url}/contact`, { waitUntil: 'commit' })
  await page.locator('.splash').waitFor({ state: 'hidden' })
  await fill(typed)
  await ripen()
  await submit().click()
  await page.waitForURL('**/contact?sent=*', { waitUntil: 'commit' })
  await page.locator('.sent-notice').waitFor()
  expect(await lastMessage()).toMatchObject(typed)
})

test.each([
  ['too early', {}, 'Veuillez prendre le temps de bien remplir le formulaire.', false],
  ['empty', NOTHING, 'Veuillez remplir tous les champs obligatoires.', true],
  [
    'a bad address',
    { ...TYPED, email: 'zoe@exemple' },
    'Veuillez entrer une adresse email valide.',
    true,
  ],
  [
    'a short message',
    { ...TYPED, message: 'court' },
    'Le message doit contenir au moins 10 caractères.',
    true,
  ],
  [
    'a long message',
    { ...TYPED, message: 'é'.repeat(2001) },
    'Le message ne peut pas dépasser 2000 caractères.',
    true,
  ],
])(
  '%s is refused in a toast and beside the field, and keeps what was typed',
  async (_, typed, sentence, ripe) => {
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') requests.push(request.url())
    })
    await open(page, `${site.url}/contact`)
    await fill(typed)
    if (ripe) await ripen()
    await submit().click()
    await toast().waitFor()
    expect(await toast().getAttribute('data-variant')).toBe('destructive')
    expect(await toast().textContent()).toContain(`Erreur${sentence}`)
    expect(await page.locator('.error-summary').textContent()).toContain(sentence)
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('contact-notice')
    expect(await page.title()).toMatch(/^Erreur\u00a0: /)
    expect(await values()).toMatchObject(typed)
    expect(requests).toEqual([])
    if (ripe) {
      const link = page.locator('.error-summary a').first()
      const field = page.locator((await link.getAttribute('href')) ?? '')
      await link.click()
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
      expect(await field.getAttribute('tabindex')).toBeNull()
      expect(await page.title()).toMatch(/^Erreur\u00a0: /)
      const invalid = page.locator('[aria-invalid=true]').first()
      const described = await invalid.getAttribute('aria-describedby')
      // An empty field says what to write into it.
      const beside = typed === NOTHING ? fr.contact.form.missing.firstName : sentence
      expect(await page.locator(`#${described?.split(' ').at(-1)}`).textContent()).toBe(beside)
    }
  },
)

test('the time to fill in begins when the page comes, not when it is asked for', async () => {
  await page.route('**/contact', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, MINIMUM_FILL_TIME))
    await route.continue()
  })
  await open(page, `${site.url}/contact`)
  await submit().click()
  await toast().waitFor()
  expect(await toast().textContent()).toContain('Veuillez prendre le temps')
})

test('a second submit while the first is pending is ignored, and the button says so', async () => {
  const posts: string[] = []
  await page.route('**/api/contact', async (route) => {
    posts.push(route.request().postData() ?? '')
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await open(page, `${site.url}/contact`)
  await fill(unique('double'))
  await ripen()
  await page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('.contact-form form')
    form?.requestSubmit()
    form?.requestSubmit()
  })
  await page.locator('button[disabled] .spinner').waitFor()
  expect(await submit().textContent()).toBe(fr.contact.form.submitting)
  await toast().waitFor()
  expect(posts).toHaveLength(1)
  expect(JSON.parse(posts[0] ?? '')).toMatchObject({ website: '', url: '', phone_hidden: '' })
  expect(await submit().isEnabled()).toBe(true)
})

test('a trap that a password manager has filled does not cost the message', async () => {
  const typed = unique('trap')
  await open(page, `${site.url}/contact`)
  await fill(typed)
  await page.evaluate(() => {
    for (const name of ['website', 'url', 'phone_hidden']) {
      document.querySelector<HTMLInputElement>(`[name=${name}]`)?.setAttribute('value', 'https://x')
    }
  })
  await ripen()
  await submit().click()
  await toast().waitFor()
  expect(await lastMessage()).toMatchObject({ ...typed, status: 'new' })
})

test.each([-86_400_000, 86_400_000])(
  'a clock that is wrong by %d ms locks nobody out',
  async (error) => {
    const typed = unique(`clock ${error}`)
    await context.addInitScript((offset) => {
      const real = Date.now
      Date.now = () => real() + offset
    }, error)
    await open(page, site.url)
    await page.locator('.nav a[href="/contact"]').click()
    await fill(typed)
    await ripen()
    await submit().click()
    await toast().waitFor()
    expect(await toast().textContent()).toContain(SENT.fr[0])
    expect(await lastMessage()).toMatchObject(typed)
  },
)

test.each([
  [
    'the sentence of a refusal',
    { status: 429, body: 'Vous avez…', contentType: 'text/plain' },
    '429: Vous avez…',
  ],
  ['the status text of an empty answer', { status: 503, body: '' }, '503: Service Unavailable'],
  [
    'the fallback for a proxy’s page',
    { status: 502, body: '<h1>Bad', contentType: 'text/html' },
    "Une erreur s'est produite lors de l'envoi du message. Veuillez réessayer.",
  ],
  [
    'the fallback for no answer',
    undefined,
    "Une erreur s'est produite lors de l'envoi du message. Veuillez réessayer.",
  ],
])('a failure shows %s and keeps what was typed', async (_, answer, sentence) => {
  await page.route('**/api/contact', (route) => (answer ? route.fulfill(answer) : route.abort()))
  await open(page, `${site.url}/contact`)
  await fill()
  await ripen()
  await submit().click()
  await toast().waitFor()
  expect(await toast().textContent()).toContain(`Erreur${sentence}`)
  expect(await page.locator('.error-summary').textContent()).toContain(sentence)
  expect(await values()).toEqual(TYPED)
})

test('a refusal follows the toggle, as the page does', async () => {
  const headers = { 'Problem-Code': 'limit-reached', 'Retry-After': '1800' }
  const answer = { status: 429, body: 'Vous avez…', contentType: 'text/plain', headers }
  await page.route('**/api/contact', (route) => route.fulfill(answer))
  await open(page, `${site.url}/contact`)
  await fill()
  await ripen()
  await submit().click()
  const summary = page.locator('.error-summary')
  const french = '429: Vous avez atteint la limite de 1\u00a0000 messages par heure.'
  await summary.filter({ hasText: french }).waitFor()
  await page.locator('.language-toggle button').click()
  const english = '429: You have reached the limit of 1,000 messages per hour.'
  await summary.filter({ hasText: english }).waitFor()
  expect(await values()).toEqual(TYPED)
})

test('offline it says so at once, and keeps what was typed', async () => {
  await open(page, `${site.url}/contact`)
  await fill()
  await ripen()
  await context.setOffline(true)
  await submit().click()
  await page.locator('.error-summary').waitFor()
  expect(await values()).toEqual(TYPED)
  expect(await submit().isEnabled()).toBe(true)
})

test('a toast that cannot be loaded takes nothing along', async () => {
  const typed = unique('without toasts')
  await page.route('**/assets/toaster-*.js', (route) => route.fulfill({ status: 404, body: '' }))
  await open(page, `${site.url}/contact`)
  await fill(typed)
  await ripen()
  await submit().click()
  await page.locator('.sent-notice').waitFor()
  expect(await lastMessage()).toMatchObject(typed)
})

test('a toast comes without a line too, once the form has had the focus', async () => {
  await open(page, `${site.url}/contact`)
  const code = page.waitForResponse('**/assets/toaster-*.js')
  await page.locator('#firstName').focus()
  await (await code).finished()
  await context.setOffline(true)
  await submit().click()
  await toast().waitFor()
})

test('a toast that could not be loaded comes with the next one', async () => {
  const chunk = '**/assets/toaster-*.js'
  await page.route(chunk, (route) => route.abort())
  await open(page, `${site.url}/contact`)
  await submit().click()
  await page.locator('.error-summary').waitFor()
  await page.unroute(chunk)
  await submit().click()
  await toast().waitFor()
})

test('a post without an answer ends after 30 s, and the second try is the same request', async () => {
  const keys: (string | undefined)[] = []
  await page.route('**/api/contact', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) await route.continue()
  })
  const typed = unique('no answer')
  await page.clock.install()
  await open(page, `${site.url}/contact`)
  await fill(typed)
  await pass(MINIMUM_FILL_TIME)
  await submit().click()
  await page.locator('.spinner').waitFor()
  await page.clock.fastForward(15_000)
  expect(await submit().isEnabled()).toBe(false)
  await page.clock.fastForward(15_000)
  const summary = page.locator('.error-summary')
  await summary.getByText(fr.contact.failed.description).waitFor()
  expect(await values()).toEqual(typed)
  await submit().click()
  await page.locator('.sent-notice').waitFor()
  expect(await lastMessage()).toMatchObject(typed)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keys).toEqual([keys[0], keys[0]])
})

test('a closed toast gives the focus back, and the next one still goes by itself', async () => {
  await open(page, `${site.url}/contact`)
  await submit().click()
  await page.keyboard.press('F8')
  await page.keyboard.press('Tab')
  await page.locator('.toast .close').press('Enter')
  await toast().waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
  await submit().click()
  await toast().waitFor()
  expect(await page.locator('.toast').count()).toBe(1)
  await page.mouse.move(5, 5)
  await toast().waitFor({ state: 'detached' })
})
