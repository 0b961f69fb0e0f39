import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import request from 'supertest'
import type { Store } from '../../../server/inbox/store.ts'
import { StoreUnavailable } from '../../../server/inbox/store-errors.ts'
import type { Fault } from '../../../shared/contact-fields.ts'
import { describeFault } from '../../../shared/contact-sentences.ts'
import { company } from '../../../shared/content/company.ts'
import { en, fr } from '../../../shared/content/index.ts'
import { formatPhone } from '../../../shared/format.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { createFolder } from '../../support/folders.ts'
import {
  createVisitor,
  findStored,
  get,
  getStatuses,
  NOON,
  restartSite,
  send,
  sendBody,
  sendForm,
  setUpSite,
  site,
  tally,
  VALID,
} from '../setup.ts'

setUpSite()

test.each(['*/*', 'text/html', 'text/plain'])(
  'a valid request is answered with its reference and the time, and is stored (Accept: %s)',
  async (Accept) => {
    const { body, headers } = await send({}, { Accept }).expect(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toEqual({
      reference: expect.stringMatching(/^RG(-[2-9A-HJ-NP-Z]{5}){2}$/),
      receivedAt: new Date(NOON).toISOString(),
    })
    const { firstName, lastName, email, service, message } = VALID
    const typed = { firstName, lastName, email, service, message }
    const state = { status: 'new', trapped: [], receivedAt: body.receivedAt }
    expect(await findStored(body.reference)).toMatchObject({ ...typed, ...state })
  },
)

test('service and traps may be absent, and unknown keys and headers are ignored', async () => {
  const { service, website, url, phone_hidden, ...rest } = VALID
  const more = { ...rest, isAdmin: true, constructor: 1 }
  const { body } = await sendBody(more, { 'Idempotency-Key': 'clé 1' }).expect(200)
  expect(await findStored(body.reference)).toMatchObject({ service: '', status: 'new' })
})

test('the page’s language counts, whatever another tab has chosen: for the message and for sentences', async () => {
  const sendFrom = (lang: string, body: object) =>
    request(site.url)
      .post(`/api/contact?lang=${lang}`)
      .set({ 'Content-Type': 'application/json', Cookie: 'rg-language=en', ...createVisitor() })
      .send(JSON.stringify({ ...VALID, ...body }))
  const { body } = await sendFrom('fr', {}).expect(200)
  expect(await findStored(body.reference)).toMatchObject({ language: 'fr' })
  expect((await sendFrom('fr', { email: 'no' })).body.detail).toBe(
    fr.contact.faults['email-invalid'],
  )
  const other = await sendFrom('xx', {}).expect(200)
  expect(await findStored(other.body.reference)).toMatchObject({ language: 'en' })
})

test.each(['website', 'url', 'phone_hidden'])('a filled trap %s means quarantine', async (trap) => {
  const { body } = await send({ [trap]: 'https://spam.example' }).expect(200)
  expect(Object.keys(body)).toEqual(['reference', 'receivedAt'])
  const expected = { status: 'quarantined', trapped: [trap] }
  expect(await findStored(body.reference)).toMatchObject(expected)
})

test('texts are stored composed and without control characters; all but the message are trimmed', async () => {
  const { body } = await send({
    firstName: '\u001b Zoe\u0000\u0301\t',
    lastName: '\u00a0👩🏽‍🚒\n',
    email: ' \u202aA@Exem\u00adple.QUÉBEC\u202c ',
    message: '  une\r\nligne\u0007\r\v\u0085, ete\u0001\u0301\tet\u009f\u007f 🐕  \n',
  }).expect(200)
  expect(await findStored(body.reference)).toMatchObject({
    firstName: 'Zo\u00e9',
    lastName: '👩🏽‍🚒',
    email: 'A@Exemple.QUÉBEC',
    message: '  une\nligne, et\u00e9\tet 🐕  \n',
  })
})

describe('a broken rule', () => {
  setUpSite()
  afterEach(async () => expect(await site.messages()).toEqual([]))

  type Field = Fault['field']
  type Code = Fault['code']

  const getSentence = (field: Field, code: Code, content = fr) =>
    describeFault({ field, code }, content.contact.faults)

  async function expectRefusal(change: object, field: Field, code: Code): Promise<void> {
    const { body } = await send(change).expect(400)
    const detail = getSentence(field, code)
    expect(body).toMatchObject({ status: 400, code, detail })
    expect(body.errors).toEqual([{ field, code, detail }])
    const english = await send(change, { Cookie: 'rg-language=en' })
    expect(english.body.detail).toBe(getSentence(field, code, en))
  }

  /** One example of each code that a form can send; test/shared/contact-schema.test.ts has more. */
  const rows: [field: Field, value: string, code: Code][] = [
    ['formStartTime', String(NOON - 2999), 'too-fast'],
    ['firstName', ' ', 'required'],
    ['email', 'zoe@mon–exemple.ca', 'email-invalid'],
    ['message', 'neuf sign', 'message-too-short'],
    ['message', 'é'.repeat(2001), 'message-too-long'],
    ['service', 'plumbing', 'unknown-service'],
    ['formStartTime', 'noon', 'start-time-invalid'],
    ['lastName', 'L\u2028R', 'line-break'],
    ['lastName', '𝒵'.repeat(101), 'too-long'],
  ]

  test.each(rows)('%s %j is 400 with the sentence of %s', async (field, value, code) => {
    await expectRefusal({ [field]: value }, field, code)
    const form = await sendForm({ [field]: value }).expect(400)
    expect(form.text).toContain(getSentence(field, code))
  })

  test('of types and surrogates, which only JSON can carry, is 400', async () => {
    await expectRefusal({ website: false }, 'website', 'wrong-type')
    await expectRefusal({ message: 'dix signes \ud800' }, 'message', 'broken-text')
  })

  test('of an empty object is that of the required fields', async () => {
    const { body } = await sendBody({}).expect(400)
    expect(body).toMatchObject({ code: 'required', detail: fr.contact.faults.required })
    const fields = body.errors.map(({ field }: { field: string }) => field)
    expect(fields).toEqual(['firstName', 'lastName', 'email', 'message', 'formStartTime'])
  })

  test('of the time, alone or first, tells the time to wait and the start time to send, by the server’s clock', async () => {
    const fast = { formStartTime: String(NOON + 5_000_000) }
    const expected = { 'retry-after': '3', 'form-start-time': String(NOON) }
    expect((await send(fast)).headers).toMatchObject(expected)
    expect((await send({ ...fast, email: 'no' })).headers).toMatchObject(expected)
    expect((await sendForm(fast)).headers).toMatchObject(expected)
    expect((await send({ email: 'no' })).headers).not.toHaveProperty('form-start-time')
  })
})

describe('while the store cannot write, a message', () => {
  const folder = createFolder()
  const OTHER = { message: 'Un tout autre message.' }

  function expectUnavailable({ status, headers, body }: Awaited<ReturnType<typeof send>>): void {
    expect(status).toBe(503)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(body).toMatchObject({ status: 503, code: 'unavailable' })
    expect(body.detail).toContain(formatPhone(company.phone, 'fr'))
    expect(body.detail).toContain(company.email)
  }

  test('is 503 while another process holds the database; pages are served, and nothing is stored or counted', async () => {
    const path = join(folder, 'locked.sqlite')
    await restartSite({ database: path, storeTimeoutMs: 1000 })
    const visitor = createVisitor()
    using database = new DatabaseSync(path, { timeout: 5000 })
    database.exec('BEGIN IMMEDIATE')
    const [api, form] = await Promise.all([send({}, visitor), sendForm(OTHER, visitor)])
    expectUnavailable(api)
    expect(form.status).toBe(503)
    expect(Number(form.headers['retry-after'])).toBeGreaterThan(0)
    expect(form.text).toContain(formatPhone(company.phone, 'fr'))
    expect(form.text).toContain(OTHER.message)
    for (const path of ['/', '/contact', '/readyz']) expect((await get(path)).status).toBe(200)
    database.exec('ROLLBACK')
    await until(() => site.store.state() === 'open')
    expect(await site.messages()).toEqual([])
    const statuses = await getStatuses(3, (index) => send({ lastName: `${index}` }, visitor))
    expect(statuses).toEqual([200, 200, 429])
  })

  test('is no refusal of the visitor, and a store that cannot be opened does not stop the start', async () => {
    const file = join(folder, 'not-a-folder')
    writeFileSync(file, '')
    await restartSite({ database: join(file, 'inbox.sqlite') })
    const visitor = createVisitor()
    expectUnavailable(await send({}, visitor))
    expect(tally(await getStatuses(31, () => send({}, visitor)))).toEqual({ 503: 31 })
    const reasons = site.logged.map(({ reason }) => reason).filter(Boolean)
    expect(tally(reasons)).toMatchObject({ 'cannot-open': expect.any(Number) })
  })

  test.each([
    [503, new StoreUnavailable('full')],
    [500, new Error('Something else')],
  ])('is a %d problem after %s; the contact page is served', async (status, error) => {
    const store: Store = { ...site.store, transaction: () => Promise.reject(error) }
    await restartSite({ parts: { store } })
    const answer = await send().expect(status)
    if (status === 503) expectUnavailable(answer)
    else expect(answer.body).toMatchObject({ status, code: 'server-error' })
    const { text } = await get('/contact?sent=RG-22222-22222').expect(status === 503 ? 200 : 500)
    expect(text).not.toContain('RG-22222-22222')
  })
})
