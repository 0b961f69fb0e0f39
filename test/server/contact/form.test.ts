import request from 'supertest'
import { describeLimit } from '../../../shared/contact-sentences.ts'
import { en, fr } from '../../../shared/content/index.ts'
import { fillPlural } from '../../../shared/format.ts'
import { createVisitor, get, NOON, send, sendForm, setUpSite, site, VALID } from '../setup.ts'

setUpSite()

/** The title of an empty list of errors. */
const NO_ERRORS = fillPlural(fr.contact.form.errorSummary, 0, 'fr')

test('the form shows a message that begins with line breaks again with all of them', async () => {
  const { text } = await sendForm({ message: '\r\n\r\nTrop\r\ncourt', email: 'no' })
  // React adds the first line break, which an HTML parser drops.
  expect(/<textarea[^>]*>([^<]*)</.exec(text)?.[1]).toBe('\n\n\nTrop\ncourt')
})

test('the language of the address counts before the cookie', async () => {
  const { headers } = await request(site.url)
    .post('/contact?lang=en')
    .type('form')
    .set({ ...createVisitor(), Cookie: 'rg-language=fr' })
    .send(VALID)
  expect(headers.location).toMatch(/&lang=en$/)
})

test.each(['RG-22222-22222', '', 'true', '<script>alert(1)</script>', "' OR 1=1 --", '\0'])(
  'no confirmation is shown for a reference that does not exist: %j',
  async (sent) => {
    const { text } = await get(`/contact?sent=${encodeURIComponent(sent)}`).expect(200)
    expect(text).not.toContain(`>${fr.contact.sent.title}</h3>`)
    expect(text).not.toContain('alert(1)')
  },
)

test('no confirmation is shown for a list of references, on another page, or from a cache', async () => {
  const { reference } = (await send()).body
  const { text } = await get(`/contact?sent=${reference}&sent=${reference}`)
  expect(text).not.toContain(`>${fr.contact.sent.title}</h3>`)
  expect((await get(`/?sent=${reference}`)).text).not.toContain(reference)
  const known = { 'If-None-Match': (await get('/contact')).headers.etag }
  await get('/contact', known).expect(304)
  await get(`/contact?sent=${reference}`, known).expect(200)
})

const expectUncached = (headers: Record<string, string>) => {
  expect(headers['cache-control']).toBe('no-store')
  expect(headers).not.toHaveProperty('etag')
}

test('a refused form is shown again with the input, escaped, without the traps', async () => {
  const typed = {
    firstName: 'Zoé "Z" <b>',
    lastName: "O'Neil & fils",
    email: 'not-an-email"><script>alert(1)</script>',
    service: 'health-safety',
    message: '</textarea><script>alert(2)</script>\nligne deux & fin',
    website: 'http://spam.example',
  }
  const { headers, text } = await sendForm(typed, { 'If-None-Match': '*' }).expect(400)
  expectUncached(headers)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  for (const shown of [
    'value="Zoé &quot;Z&quot; &lt;b&gt;"',
    'value="O&#x27;Neil &amp; fils"',
    '<option value="health-safety" selected="">',
    '&lt;/textarea&gt;&lt;script&gt;alert(2)&lt;/script&gt;\nligne deux',
  ]) {
    expect(text).toContain(shown)
  }
  expect(text).not.toMatch(/<script>alert|spam\.example/)
  expect(text.match(/<\/textarea>/g)).toHaveLength(1)
})

const findStartTime = (text: string) => /name="formStartTime"[^>]*value="(\d*)"/.exec(text)?.[1]

test.each([
  ['early enough', VALID.formStartTime, 303, VALID.formStartTime],
  ['too late', String(NOON - 2000), 400, String(NOON)],
  ['missing', '', 400, String(NOON)],
])('a correction of a form whose start time was %s', async (_name, given, status, next) => {
  const { text } = await sendForm({ email: 'no', formStartTime: given }).expect(400)
  const formStartTime = findStartTime(text)
  expect(formStartTime).toBe(next)
  await sendForm({ message: `Corrigé : ${given}`, formStartTime: `${formStartTime}` }).expect(
    status,
  )
})

test('the language button of a refused form shows the form in the other language, and sends nothing', async () => {
  const change = { email: 'no', message: 'Bonjour <b>, dix lettres.' }
  const { text } = await sendForm(change).expect(400)
  const [button = ''] = /<button[^>]*class="toggle"[^>]*>/.exec(text) ?? []
  expect(button).toContain('form="contact-form"')
  const [, address = '', hash] = /formaction="([^"#]+)(#request)"/i.exec(button) ?? []
  expect([hash, text.match(/id="contact-form"/g)?.length]).toEqual(['#request', 1])
  const turn = (typed: object) =>
    request(site.url)
      .post(address)
      .type('form')
      .set(createVisitor())
      .send({ ...VALID, ...typed, lang: 'en' })
      .expect(200)
  const before = (await site.messages()).length
  const turned = await turn(change)
  expectUncached(turned.headers)
  expect(turned.text).toContain('<html lang="en"')
  expect(turned.text).toContain(`id="email-error">${en.contact.faults['email-invalid']}`)
  expect(turned.text).toContain('Bonjour &lt;b&gt;, dix lettres.')
  expect(findStartTime(turned.text)).toBe(VALID.formStartTime)
  const corrected = await turn({ message: 'Bonjour encore.' })
  expect(corrected.text).toContain('Bonjour encore.')
  expect(corrected.text).not.toContain('class="error-summary"')
  expect(await site.messages()).toHaveLength(before)
})

test('a refused form shows each fault at its field and in the summary', async () => {
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
  expect(text).toContain(fillPlural(form.errorSummary, 3, 'fr'))
})

test.each([
  [403, 'cross-site', {}, { Origin: 'https://evil.example' }],
  [413, 'too-large', { message: 'x'.repeat(33_000) }, {}],
  [415, 'unsupported-media-type', {}, { 'Content-Type': 'text/plain' }],
] as const)('a form refused as %d %s has its sentence and no list', async (...row) => {
  const [expected, code, change, headers] = row
  const { text, headers: answered } = await sendForm(change, headers).expect(expected)
  expectUncached(answered)
  expect(text).toContain(fr.errors.problems[code])
  expect(text).not.toContain(NO_ERRORS)
  expect(text).toMatch(/<\/html>\s*$/)
})

test('a form refused by the limit keeps the input and has no empty list', async () => {
  const visitor = createVisitor()
  for (const _ of [1, 2]) await sendForm({}, visitor)
  const { text, headers } = await sendForm({}, visitor).expect(429)
  expect(headers['retry-after']).toBe('3600')
  expect(text).toContain(`value="${VALID.email}"`)
  const limit = describeLimit({ count: 2, windowMinutes: 60 }, fr.contact.form, 'fr')
  expect(text).toContain(limit)
  expect(text).toContain('"refusal":{"code":"limit-reached","retryAfterSeconds":3600}')
  expect(text).not.toContain(NO_ERRORS)
})
