import { en, fr } from '../../../shared/content/index.ts'
import {
  createVisitor,
  findStored,
  get,
  NOON,
  send,
  sendForm,
  setUpSite,
  site,
  VALID,
} from '../setup.ts'

setUpSite()

const getReference = (location = '') => new URL(location, site.url).searchParams.get('sent')

test('the form shows a message that begins with line breaks again with all of them', async () => {
  const { text } = await sendForm({ message: '\r\n\r\nTrop\r\ncourt', email: 'no' })
  // React adds the first line break, which an HTML parser drops.
  expect(/<textarea[^>]*>([^<]*)</.exec(text)?.[1]).toBe('\n\n\nTrop\ncourt')
})

describe('a form that is accepted', () => {
  test.each([
    ['fr', {}],
    ['en', { Cookie: 'rg-language=en' }],
    ['fr', { Cookie: 'rg-language=fr', 'Accept-Language': 'en' }],
  ])('leads to its confirmation in %s', async (language, headers) => {
    const { headers: answered } = await sendForm({}, headers).expect(303)
    const address = new RegExp(`^/contact\\?sent=RG-\\w{5}-\\w{5}&lang=${language}$`)
    expect(answered.location).toMatch(address)
    const { text } = await get(answered.location ?? '').expect(200)
    const reference = getReference(answered.location)
    const { contact } = language === 'fr' ? fr : en
    expect(text).toContain(`<h3>${contact.sent.title}</h3>`)
    expect(text).toContain(contact.sent.description)
    expect(text).toContain(`${reference}</p>`)
    expect(text).not.toContain('class="error-summary"')
    const { message, lastName } = VALID
    expect(await findStored(reference)).toMatchObject({ language, message, lastName })
  })

  test('in the language of its address rather than the cookie', async () => {
    const response = await fetch(`${site.url}/contact?lang=en`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...createVisitor(), Cookie: 'rg-language=fr' },
      body: new URLSearchParams(VALID),
    })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toMatch(/&lang=en$/)
  })
})

describe('the confirmation is shown only for a reference that exists', () => {
  test.each(['RG-22222-22222', '', 'true', '<script>alert(1)</script>', "' OR 1=1 --", '\0'])(
    'not for %j',
    async (sent) => {
      const { text } = await get(`/contact?sent=${encodeURIComponent(sent)}`).expect(200)
      expect(text).not.toContain(`<h3>${fr.contact.sent.title}</h3>`)
      expect(text).not.toContain('alert(1)')
    },
  )

  test('and not for a list of them', async () => {
    const { body } = await send()
    const { text } = await get(`/contact?sent=${body.reference}&sent=${body.reference}`)
    expect(text).not.toContain(`<h3>${fr.contact.sent.title}</h3>`)
  })

  test('nor on another page', async () => {
    const { body } = await send()
    expect((await get(`/?sent=${body.reference}`)).text).not.toContain(body.reference)
  })

  test('and it is never answered from a cache', async () => {
    const { body } = await send()
    const plain = await get('/contact')
    const known = { 'If-None-Match': plain.headers.etag }
    expect((await get('/contact', known)).status).toBe(304)
    expect((await get(`/contact?sent=${body.reference}`, known)).status).toBe(200)
  })
})

describe('a form that is refused', () => {
  const typed = {
    firstName: 'Zoé "Z" <b>',
    lastName: "O'Neil & fils",
    email: 'not-an-email"><script>alert(1)</script>',
    service: 'health-safety',
    message: '</textarea><script>alert(2)</script>\nligne deux & fin',
  }

  const expectUncached = (headers: Record<string, string>) => {
    expect(headers['cache-control']).toBe('no-store')
    expect(headers).not.toHaveProperty('etag')
  }

  test('is shown again with the input, escaped', async () => {
    const { headers, text } = await sendForm(typed, { 'If-None-Match': '*' }).expect(400)
    expectUncached(headers)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('value="Zoé &quot;Z&quot; &lt;b&gt;"')
    expect(text).toContain('value="O&#x27;Neil &amp; fils"')
    expect(text).toMatch(/<option value="health-safety" selected="">/)
    expect(text).toContain('&lt;/textarea&gt;&lt;script&gt;alert(2)&lt;/script&gt;\nligne deux')
    expect(text).not.toContain('<script>alert')
    expect(text.match(/<\/textarea>/g)).toHaveLength(1)
  })

  test('shows each fault at its field and in the summary', async () => {
    const { text } = await sendForm({ firstName: '', email: 'no', message: 'court' })
    const { faults, form } = fr.contact
    for (const [field, sentence] of [
      ['firstName', form.missing.firstName],
      ['email', faults['email-invalid']],
      ['message', faults['message-too-short']],
    ] as const) {
      expect(text).toContain(`id="${field}-error">${sentence}`)
      expect(text).toContain(`<a href="#${field}">`)
    }
    expect(text).toContain(`<p>${faults.required}</p>`)
    expect(text).toContain('id="lastName-error"></p>')
    expect(text).toContain('Il y a 3 erreurs à corriger')
  })

  test('does not keep the traps nor the old start time', async () => {
    site.clock.time = NOON + 1000
    const { text } = await sendForm({ email: 'no', website: 'http://spam.example' })
    site.clock.time = NOON
    expect(text).not.toContain('spam.example')
    expect(text).toMatch(new RegExp(`name="formStartTime"[^>]*value="${NOON + 1000}"`))
    expect(text).not.toContain(VALID.formStartTime)
  })

  test.each([
    [403, 'cross-site', {}, { Origin: 'https://evil.example' }],
    [413, 'too-large', { message: 'x'.repeat(33_000) }, {}],
    [415, 'unsupported-media-type', {}, { 'Content-Type': 'text/plain' }],
  ] as const)('for a problem is %d with its sentence and no list', async (...row) => {
    const [expected, code, change, headers] = row
    const { text, headers: answered } = await sendForm(change, headers).expect(expected)
    expectUncached(answered)
    expect(text).toContain(fr.errors.problems[code])
    expect(text).not.toContain('à corriger')
    expect(text).toMatch(/<\/html>\s*$/)
  })

  test('by the limit keeps the input and has no empty list', async () => {
    const visitor = createVisitor()
    for (const _ of [1, 2]) await sendForm({}, visitor)
    const { text, headers } = await sendForm({}, visitor).expect(429)
    expect(headers['retry-after']).toBe('3600')
    expect(text).toContain(`value="${VALID.email}"`)
    expect(text).toContain('2 messages par heure')
    expect(text).toContain('"refusal":{"code":"limit-reached","retryAfterSeconds":3600}')
    expect(text).not.toContain('à corriger')
  })
})
