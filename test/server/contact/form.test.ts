import request from 'supertest'
import { describeLimit } from '../../../shared/contact-sentences.ts'
import { company } from '../../../shared/content/company.ts'
import { en, fr } from '../../../shared/content/index.ts'
import {
  createVisitor,
  get,
  getStatuses,
  NOON,
  send,
  sendForm,
  setUpSite,
  site,
  VALID,
} from '../setup.ts'

setUpSite()

/** True if a page has a text; a failure does not print the page. */
const has = (html: string, text: string) => [text, html.includes(text)]
const found = (text: string) => [text, true]

/** The values of the form in a page. */
function readForm(html: string) {
  const getValue = (name: string) =>
    new RegExp(`<input(?=[^>]* name="${name}")[^>]* value="([^"]*)"`).exec(html)?.[1]
  return {
    email: getValue('email'),
    firstName: getValue('firstName'),
    formStartTime: getValue('formStartTime'),
    service: /<option value="([^"]*)" selected=""/.exec(html)?.[1],
    message: /<textarea[^>]*>([^<]*)</.exec(html)?.[1],
  }
}

const expectUncached = (headers: Record<string, string>) => {
  expect(headers['cache-control']).toBe('no-store')
  expect(headers).not.toHaveProperty('etag')
}

test('success leads to the page that says so, with the reference, in the language of the form', async () => {
  const { headers } = await request(site.url)
    .post('/contact?lang=en')
    .redirects(0)
    .type('form')
    .set({ ...createVisitor(), Cookie: 'rg-language=fr' })
    .send(VALID)
    .expect(303)
  const [, reference = ''] = /^\/contact\?sent=(.+)&lang=en$/.exec(headers.location ?? '') ?? []
  const { text } = await get(headers.location ?? '').expect(200)
  expect(has(text, reference)).toEqual(found(reference))
  expect(has(text, en.contact.sent.title)).toEqual(found(en.contact.sent.title))
})

test.each(['RG-22222-22222', '', '<script>alert(1)</script>', '\0'])(
  'nothing is confirmed for a reference that does not exist: %j',
  async (sent) => {
    const { text } = await get(`/contact?sent=${encodeURIComponent(sent)}`).expect(200)
    expect(text.includes(`"contact":{`)).toBe(false)
    expect(text.includes('alert(1)')).toBe(false)
  },
)

test('no confirmation is shown for a list of references, on another page, or from a cache', async () => {
  const { reference } = (await send()).body
  const { text } = await get(`/contact?sent=${reference}&sent=${reference}`)
  expect(text.includes(reference)).toBe(false)
  expect((await get(`/?sent=${reference}`)).text.includes(reference)).toBe(false)
  const known = { 'If-None-Match': (await get('/contact')).headers.etag }
  await get('/contact', known).expect(304)
  await get(`/contact?sent=${reference}`, known).expect(200)
})

test('a refused form is shown again with the input, escaped, without the traps', async () => {
  const typed = {
    firstName: 'Zoé "Z" <b>',
    email: 'not-an-email"><script>alert(1)</script>',
    service: 'health-safety',
    // React adds the first line break, which an HTML parser drops.
    message: '\r\n\r\n</textarea><script>alert(2)</script>\r\nfin',
    website: 'http://spam.example',
  }
  const { headers, text } = await sendForm(typed, { 'If-None-Match': '*' }).expect(400)
  expectUncached(headers)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(readForm(text)).toEqual({
    firstName: 'Zoé &quot;Z&quot; &lt;b&gt;',
    email: 'not-an-email&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;',
    service: 'health-safety',
    message: '\n\n\n&lt;/textarea&gt;&lt;script&gt;alert(2)&lt;/script&gt;\nfin',
    formStartTime: VALID.formStartTime,
  })
  expect(text.match(/<script>alert|spam\.example/g)).toBeNull()
  expect(text.match(/<\/textarea>/g)).toHaveLength(1)
})

test('a refused form shows each fault at its field and in the summary', async () => {
  const { text } = await sendForm({ firstName: '', email: 'no', message: 'court' }).expect(400)
  const { faults, form } = fr.contact
  for (const [field, sentence] of [
    ['firstName', form.missing.firstName],
    ['email', faults['email-invalid']],
    ['message', faults['message-too-short']],
  ] as const) {
    for (const shown of [`id="${field}-error">${sentence}`, `<a href="#${field}">`])
      expect(has(text, shown)).toEqual(found(shown))
  }
})

/** Every other refusal, with the change, the headers and the words that the page must show. */
const limit = describeLimit({ count: 2, windowMinutes: 60 }, fr.contact.form, 'fr')
const { problems } = fr.errors
const REFUSALS: [
  status: number,
  words: string,
  change: Record<string, string>,
  headers?: object,
][] = [
  [400, fr.contact.faults['too-fast'], { formStartTime: String(NOON - 2999) }, {}],
  [403, problems['cross-site'], {}, { Origin: 'https://evil.example' }],
  [413, problems['too-large'], { website: 'x'.repeat(33_000) }, {}],
  [415, problems['unsupported-media-type'], {}, { 'Content-Type': 'text/plain' }],
  [429, limit, {}, createVisitor()],
]

test.each(REFUSALS)(
  'a form that is refused as %d shows: %s',
  async (status, words, change, more) => {
    if (status === 429) await getStatuses(2, (index) => sendForm({ lastName: `${index}` }, more))
    const { headers, text } = await sendForm(change, more).expect(status)
    expectUncached(headers)
    expect(has(text, words)).toEqual(found(words))
    expect(text).toMatch(/<\/html>\s*$/)
    if (status === 429) expect(has(text, company.email)).toEqual(found(company.email))
    // Nobody reads the body of another site, or one that is too large or of another type.
    if (![400, 429].includes(status)) return
    const { email, service } = readForm(text)
    expect({ email, service }).toEqual({ email: VALID.email, service: VALID.service })
  },
)

test.each([
  ['early enough', VALID.formStartTime, 303, VALID.formStartTime],
  ['in the future', String(NOON + 5_000_000), 400, String(NOON)],
  ['missing', '', 400, String(NOON)],
])('a correction of a form whose start time was %s', async (name, given, status, next) => {
  const { text } = await sendForm({ email: 'no', formStartTime: given }).expect(400)
  const { formStartTime = '' } = readForm(text)
  expect(formStartTime).toBe(next)
  await sendForm({ message: `Corrigé : ${name}`, formStartTime }).expect(status)
})

describe('the language button of a form', () => {
  const press = (typed: object) =>
    request(site.url)
      .post('/contact?lang=en')
      .type('form')
      .set(visitor)
      .send({ ...VALID, ...typed, lang: 'en' })
  const visitor = createVisitor()

  test('belongs to the form', async () => {
    const { text } = await sendForm({ email: 'no' }).expect(400)
    const [button = ''] =
      /<button(?=[^>]*form="contact-form")(?=[^>]*name="lang")[^>]*>/.exec(text) ?? []
    expect(button).toMatch(/ formAction="\/contact\?lang=en#\w+"/i)
  })

  test('shows the form in the other language, and stores and counts nothing', async () => {
    const before = (await site.messages()).length
    const faulty = await press({ email: 'no' }).expect(200)
    expectUncached(faulty.headers)
    const fault = `id="email-error">${en.contact.faults['email-invalid']}`
    for (const shown of ['<html lang="en"', fault])
      expect(has(faulty.text, shown)).toEqual(found(shown))
    expect(readForm(faulty.text)).toMatchObject({ formStartTime: VALID.formStartTime, email: 'no' })
    for (let index = 0; index < 3; index += 1) {
      const { text } = await press({ message: 'Bonjour encore.' }).expect(200)
      expect(readForm(text).message).toBe('Bonjour encore.')
      expect(text.includes('class="error-summary"')).toBe(false)
    }
    expect(await site.messages()).toHaveLength(before)
    expect(await getStatuses(3, (index) => send({ lastName: `${index}` }, visitor))).toEqual([
      200, 200, 429,
    ])
  })
})
