import request from 'supertest'
import { describeLimit } from '../../../shared/contact-sentences.ts'
import { company } from '../../../shared/content/company.ts'
import { en, fr } from '../../../shared/content/index.ts'
import { fillPlural } from '../../../shared/format.ts'
import { openSocket, writeRequest } from '../../../tools/harness/raw-client.ts'
import {
  askRaw,
  createVisitor,
  get,
  getStatuses,
  NOON,
  send,
  sendBody,
  sendForm,
  sendFormBody,
  setUpSite,
  site,
  tally,
  VALID,
} from '../setup.ts'

const MAX_BYTES = 32 * 1024
const FORM = 'application/x-www-form-urlencoded'
const TYPE = 'unsupported-media-type'

setUpSite()

function padded(size: number): string {
  const json = JSON.stringify({ ...VALID, padding: '' })
  return json.replace('"padding":""', `"padding":"${'x'.repeat(size - Buffer.byteLength(json))}"`)
}

const REFUSED: [
  status: number,
  code: string,
  title: string,
  body: object | string,
  headers?: object,
][] = [
  [
    403,
    'cross-site',
    'before the media type',
    '{',
    { Origin: 'null', 'Content-Type': 'text/plain' },
  ],
  [415, TYPE, 'another type', VALID, { 'Content-Type': 'application/jsonx' }],
  [415, TYPE, 'no type', VALID, { 'Content-Type': '' }],
  [415, TYPE, 'Latin-1', VALID, { 'Content-Type': 'application/json; charset=iso-8859-1' }],
  [415, TYPE, 'compressed', VALID, { 'Content-Encoding': 'gzip' }],
  [413, 'too-large', 'a byte too many', padded(MAX_BYTES + 1)],
  [400, 'malformed-json', 'half an object', '{"firstName":'],
  [400, 'not-an-object', 'null', 'null'],
  [400, 'not-an-object', 'a text', '"x"'],
  [400, 'not-an-object', 'a list', '[]'],
  [400, 'required', 'an empty object', '{}'],
]

test.each(REFUSED)('%d %s: %s', async (status, code, _title, sent, headers = {}) => {
  const answer = await sendBody(sent, headers)
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

test('the last of repeated fields counts, in the form and in JSON', async () => {
  await sendFormBody(`firstName=Abc&${new URLSearchParams(VALID)}`).expect(303)
  await sendBody(`{"firstName":"Abc",${JSON.stringify(VALID).slice(1)}`).expect(200)
  expect((await site.messages()).map(({ firstName }) => firstName)).not.toContain('Abc')
})

test('exactly 32 KiB, a byte order mark, and another spelling of the type are accepted', async () => {
  await sendBody(padded(MAX_BYTES)).expect(200)
  await sendBody(`\ufeff${JSON.stringify(VALID)}`).expect(200)
  await send({}, { 'Content-Type': 'APPLICATION/JSON ; charset="UTF-8"' }).expect(200)
})

test.each([
  ['/api/contact', 'application/json'],
  ['/contact', FORM],
])('%s refuses a large body at once, by its Content-Length', async (path, type) => {
  const headers = { 'Content-Type': type, 'Content-Length': MAX_BYTES + 1, ...createVisitor() }
  expect((await askRaw(writeRequest('POST', path, headers))).status).toBe(413)
})

test('a large body without a length is refused too', async () => {
  const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
  const body = `ffff\r\n${'x'.repeat(0xffff)}\r\n0\r\n\r\n`
  const sent = writeRequest('POST', '/api/contact', { ...headers, ...createVisitor() }, body)
  expect((await askRaw(sent)).status).toBe(413)
})

const BROKEN: [name: string, bytes: number[]][] = [
  ['a stray byte', [0xff]],
  ['Latin-1', [0xe9]],
  ['an encoded surrogate', [0xed, 0xa0, 0x80]],
]

test.each(BROKEN)('bytes that are not UTF-8 are 400: %s', async (_name, bytes) => {
  for (const [path, type, start, end] of [
    ['/api/contact', 'application/json', '{"firstName":"', '"}'],
    ['/contact', FORM, 'firstName=', '&lastName=Roy'],
  ] as const) {
    const body = Buffer.concat([Buffer.from(start), Buffer.from(bytes), Buffer.from(end)])
    const headers = { 'Content-Type': type, ...createVisitor() }
    const answer = await fetch(site.url + path, { method: 'POST', headers, body })
    expect([path, answer.status]).toEqual([path, 400])
    expect(await answer.text()).toContain('"not-utf8"')
  }
})

test.each(['firstName=%ff', 'firstName=%zz'])(
  'a form with other percent-encoded bytes is 400: %s',
  async (fields) => {
    await sendFormBody(fields).expect(400)
  },
)

const refused = (headers: object = {}) => send({ email: 'no' }, headers)

test('a refusal is a problem document (RFC 9457)', async () => {
  const { status, headers, body } = await refused()
  expect(headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(headers['cache-control']).toBe('no-store')
  const detail = fr.contact.faults['email-invalid']
  expect(body).toEqual({
    type: 'about:blank',
    title: 'Bad Request',
    status,
    detail,
    code: 'email-invalid',
    errors: [{ field: 'email', code: 'email-invalid', detail }],
    requestId: headers['x-request-id'],
  })
})

test.each([
  ['*/*', 'application/problem+json'],
  ['application/json, text/plain;q=0.5', 'application/problem+json'],
  ['text/html', 'application/problem+json'],
  ['text/plain, */*;q=0.1', 'text/plain'],
])('to a client that accepts %j a refusal is %s', async (Accept, type) => {
  const { headers, text } = await refused({ Accept }).expect(400)
  expect(headers['content-type']?.split(';')[0]).toBe(type)
  if (type === 'text/plain') expect(text).toBe(fr.contact.faults['email-invalid'])
})

test.each([
  [{}, 'fr'],
  [{ 'Accept-Language': 'en-CA,fr-CA;q=0.8' }, 'en'],
  [{ 'Accept-Language': 'fr-CA,en;q=0.9' }, 'fr'],
  [{ 'Accept-Language': 'de' }, 'fr'],
  [{ Cookie: 'rg-language=fr', 'Accept-Language': 'en' }, 'fr'],
  [{ Cookie: 'rg-language=en', 'Accept-Language': 'fr' }, 'en'],
  [{ Cookie: 'rg-language=de', 'Accept-Language': 'en' }, 'en'],
])('with %j the sentence is in %s', async (headers: object, language) => {
  const { body, headers: answered } = await refused(headers)
  const { contact } = language === 'fr' ? fr : en
  expect(body.detail).toBe(contact.faults['email-invalid'])
  expect(answered['content-language']).toBe(language)
})

test.each([
  ['get', '/api/nonexistent-endpoint'],
  ['post', '/api/nonexistent-endpoint'],
  ['delete', '/api/contact/1'],
  ['get', '/api'],
] as const)('%s %s is a 404 problem', async (method, path) => {
  const { body } = await request(site.url)[method](path).expect(404)
  expect(body).toMatchObject({ code: 'not-found', detail: fr.errors.problems['not-found'] })
})

test('the test error is a 500 problem without a stack', async () => {
  const { text, body } = await get('/api/test-error').expect(500)
  expect(body).toMatchObject({ code: 'server-error' })
  expect(text).not.toMatch(/\bat |\.ts/)
})

test('forty refused posts of an address, its open and its broken uploads, keep no valid message of it back', async () => {
  const visitor = createVisitor()
  const head = { 'Content-Type': 'application/json', 'Content-Length': 99, ...visitor }
  const uploads = await Promise.all(
    Array.from({ length: 62 }, async (_, index) => {
      const socket = await openSocket(site)
      socket.write(writeRequest('POST', '/api/contact', head, '{'))
      if (index % 2) socket.resetAndDestroy()
      return socket
    }),
  )
  expect(tally(await getStatuses(40, () => sendBody('{', visitor)))).toEqual({ 400: 40 })
  await send({}, visitor).expect(200)
  for (const upload of uploads) upload.destroy()
  await send({ message: 'Un tout autre message' }, visitor).expect(200)
})

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

test('a form that was sent too fast says so, and counts the faults that can be corrected', async () => {
  const tooFast = { firstName: '', formStartTime: String(NOON - 2999) }
  const { text } = await sendForm(tooFast).expect(400)
  const { faults, form } = fr.contact
  for (const shown of [faults['too-fast'], fillPlural(form.errorSummary, 1, 'fr')])
    expect(has(text, shown)).toEqual(found(shown))
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
