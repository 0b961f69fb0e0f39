import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { jest } from '@jest/globals'
import fc from 'fast-check'
import { runCli } from '../../../server/inbox/cli.ts'
import { InboxUnavailable } from '../../../server/inbox/inbox-errors.ts'
import type { Store } from '../../../server/inbox/store.ts'
import { composeMessage } from '../../../server/mail/message-letter.ts'
import { type Fault, mapFields, TRAP_FIELDS, TYPED_FIELDS } from '../../../shared/contact-fields.ts'
import { describeFault } from '../../../shared/contact-sentences.ts'
import { company } from '../../../shared/content/company.ts'
import { en, fr } from '../../../shared/content/index.ts'
import { formatPhone } from '../../../shared/format.ts'
import { SERVICE_IDS, type ServiceId } from '../../../shared/sectors.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { createFolder } from '../../support/folders.ts'
import { HOSTILE_PIECES } from '../../support/hostile-pieces.ts'
import { PERIODS } from '../../support/inbox.ts'
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

describe('every field', () => {
  const SERVICE: ServiceId = 'francophone'
  const VALUES = mapFields((name, { kind }) =>
    kind === 'choice' ? SERVICE : kind === 'email' ? `${name}@exemple.ca` : `le champ ${name}`,
  )

  async function runInbox(...args: string[]): Promise<string> {
    const written: string[] = []
    const write = (text: string) => void written.push(text)
    // The command closes its store.
    const store = { ...site.store, async close() {} }
    await runCli(args, { open: () => ({ store, periods: PERIODS }), write, writeError: write })
    return written.join('')
  }

  test.each(TYPED_FIELDS)(
    '%s is in the form, the store, the mail, `show` and both exports',
    async (name) => {
      const { text: page } = await get('/contact')
      const field = new RegExp(`<(input|select|textarea)[^>]* name="${name}"`)
      expect(field.test(page)).toBe(true)
      const { body } = await send({ ...VALUES, message: `${VALUES.message} ${name}` })
      const stored = await findStored(body.reference)
      if (!stored) throw new Error('The message was not stored')
      expect(stored[name]).toContain(VALUES[name])
      const { subject, text } = composeMessage(stored, PERIODS)
      const shown = VALUES[name] === SERVICE ? en.contact.form.services[SERVICE] : VALUES[name]
      expect(subject + text).toContain(shown)
      expect(await runInbox('show', body.reference)).toContain(VALUES[name])
      for (const format of ['jsonl', 'csv']) {
        const exported = await runInbox('export', '--format', format)
        expect(exported).toContain(name)
        expect(exported).toContain(VALUES[name])
      }
    },
  )
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

  test('of the time alone tells the time to wait and the start time to send, by the server’s clock', async () => {
    const fast = { formStartTime: String(NOON + 5_000_000) }
    const expected = { 'retry-after': '3', 'form-start-time': String(NOON) }
    expect((await send(fast)).headers).toMatchObject(expected)
    expect((await sendForm(fast)).headers).toMatchObject(expected)
    expect((await send({ email: 'no' })).headers).not.toHaveProperty('form-start-time')
  })
})

describe('JSON and form', () => {
  /** Near the limits of length. */
  const LONG_PIECES = ['x'.repeat(99), 'y'.repeat(1990)]
  const piece = fc.oneof(fc.constantFrom(...HOSTILE_PIECES, ...LONG_PIECES), fc.string())
  /** Texts that UTF-8 can encode. */
  const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('').toWellFormed())

  /** Mostly valid, so that many messages reach the later checks. */
  const mostly = (...good: string[]) =>
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: text })

  const fields = fc.record({
    ...mapFields(() => mostly('Zoé', 'L’Écuyer', "O'Neil")),
    email: mostly('zoe@exemple.ca', 'user%x@y.ca', 'a@exemple.québec'),
    service: mostly('', ...SERVICE_IDS),
    message: mostly('Bonjour à tous.', 'court'),
    formStartTime: mostly('0', String(NOON)),
    ...Object.fromEntries(TRAP_FIELDS.map((field) => [field, mostly('')])),
  })

  /** The faults in the data of a page. */
  function readFaults(html: string): Fault[] | undefined {
    const [, state] =
      /<script type="application\/json" id="state">(.*?)<\/script>/s.exec(html) ?? []
    return state && JSON.parse(state).contact.refusal.faults
  }

  test('accept the same requests, and find the same faults', async () => {
    await fc.assert(
      fc.asyncProperty(fields, async (value) => {
        const json = await sendBody(value)
        const form = await sendForm(value)
        // URL encoding is mostly longer than JSON, so the form alone may exceed the limit of a body.
        fc.pre(form.status !== 413)
        expect(form.status).toBe(json.status === 200 ? 303 : json.status)
        expect(readFaults(form.text)).toEqual(
          json.body.errors?.map(({ field, code }: Fault) => ({ field, code })),
        )
      }),
      { numRuns: 30 },
    )
  })
})

test('only a new message that is not trapped wakes the mailing', async () => {
  const wakeMailing = jest.fn()
  await restartSite({ parts: { wakeMailing } })
  const visitor = createVisitor()
  await send({ message: 'short' }).expect(400)
  await send({ url: 'x' }).expect(200)
  expect(wakeMailing).not.toHaveBeenCalled()
  for (const _ of ['new', 'again']) await send({}, visitor).expect(200)
  expect(wakeMailing).toHaveBeenCalledTimes(1)
  await sendForm({ message: 'Another message' }).expect(303)
  expect(wakeMailing).toHaveBeenCalledTimes(2)
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
    [503, new InboxUnavailable('full')],
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
