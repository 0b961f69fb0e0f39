import type { FieldName } from '../../../shared/contact.ts'
import { describeFault } from '../../../shared/contact-sentences.ts'
import { en } from '../../../shared/content/en.ts'
import { fr } from '../../../shared/content/fr.ts'
import { post, postForm, VALID } from '../../../tools/harness/contact.ts'
import { NOON, type Site, startSite } from '../../support/site.ts'
import { BEHIND_PROXY, createVisitor } from '../../support/visitors.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({ environment: BEHIND_PROXY })
})
afterAll(() => site.stop())
afterEach(async () => expect(await site.messages()).toEqual([]))

type Row = [name: string, change: Record<string, string>, field: FieldName, code: keyof Faults]
type Faults = typeof fr.contact.faults

const breaks = { CR: '\r', LF: '\n', VT: '\v', FF: '\f', NEL: '\u0085', LS: '\u2028', PS: '\u2029' }

const rows: Row[] = [
  ['started 2999 ms ago', { formStartTime: String(NOON - 2999) }, 'formStartTime', 'too-fast'],
  ['started in the future', { formStartTime: String(NOON + 1) }, 'formStartTime', 'too-fast'],
  ['started in the far future', { formStartTime: '9'.repeat(400) }, 'formStartTime', 'too-fast'],
  ...(['firstName', 'lastName', 'email', 'message'] as const).flatMap((field): Row[] => [
    [`${field} empty`, { [field]: '' }, field, 'required'],
    [`${field} of white space`, { [field]: ' \t\n\u00a0' }, field, 'required'],
    [`${field} of control characters`, { [field]: '\u0000\u0001' }, field, 'required'],
  ]),
  ['an e-mail that is none', { email: 'zoe@exemple' }, 'email', 'email-invalid'],
  ['an e-mail without @', { email: 'zoe.exemple.ca' }, 'email', 'email-invalid'],
  ['a message of 9 characters', { message: 'neuf sign' }, 'message', 'message-too-short'],
  ['a message of 9 and spaces', { message: '  neuf sign  ' }, 'message', 'message-too-short'],
  ['a message of 9 code points', { message: '🐕'.repeat(9) }, 'message', 'message-too-short'],
  ['a message of 2001', { message: 'é'.repeat(2001) }, 'message', 'message-too-long'],
  ['an unknown service', { service: 'plumbing' }, 'service', 'unknown-service'],
  ['a service in capitals', { service: 'Francophone' }, 'service', 'unknown-service'],
  ['an empty start time', { formStartTime: '' }, 'formStartTime', 'start-time-invalid'],
  ['a start time in words', { formStartTime: 'noon' }, 'formStartTime', 'start-time-invalid'],
  ['a negative start time', { formStartTime: '-1' }, 'formStartTime', 'start-time-invalid'],
  ['a fractional start time', { formStartTime: '1.5' }, 'formStartTime', 'start-time-invalid'],
  ...Object.entries(breaks).flatMap(([name, sign]): Row[] => [
    [`${name} in the first name`, { firstName: `Zoé${sign}Roy` }, 'firstName', 'line-break'],
    [`${name} in the last name`, { lastName: `L${sign}R` }, 'lastName', 'line-break'],
    [`${name} in the e-mail`, { email: `zoe@exemple.ca${sign}b@c.ca` }, 'email', 'email-invalid'],
  ]),
  ['a first name of 101', { firstName: 'a'.repeat(101) }, 'firstName', 'too-long'],
  ['a last name of 101', { lastName: '𝒵'.repeat(101) }, 'lastName', 'too-long'],
  ['an e-mail of 255', { email: `${'a'.repeat(248)}@exe.ca` }, 'email', 'too-long'],
]

const sentenceOf = (field: FieldName, code: keyof Faults, content = fr) =>
  describeFault({ field, code }, content.contact.faults)

test.each(rows)('%s is 400 with its sentence, in JSON', async (_name, change, field, code) => {
  const { status, headers, body } = await post(site, { ...VALID, ...change }, createVisitor())
  const detail = sentenceOf(field, code)
  expect(status).toBe(400)
  expect(headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(body).toMatchObject({ status: 400, code, detail })
  expect(body.errors).toEqual([{ field, code, detail }])
})

test.each(rows)('%s is 400 with its sentence, in the form', async (_name, change, field, code) => {
  const { status, text } = await postForm(site, { ...VALID, ...change }, createVisitor())
  expect(status).toBe(400)
  expect(text).toContain(sentenceOf(field, code))
})

test.each<[FieldName, unknown]>([
  ['firstName', 1],
  ['lastName', null],
  ['email', ['a@b.ca']],
  ['message', { text: 'dix signes' }],
  ['service', 4],
  ['formStartTime', NOON - 60_000],
  ['website', false],
  ['url', 0],
  ['phone_hidden', null],
])('%s of a wrong type is 400', async (field, value) => {
  const { status, body } = await post(site, { ...VALID, [field]: value }, createVisitor())
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'wrong-type', detail: sentenceOf(field, 'wrong-type') })
  expect(body.errors).toHaveLength(1)
})

test.each(['firstName', 'lastName', 'message'] as const)(
  'a lone surrogate in %s is 400',
  async (field) => {
    const json = JSON.stringify({ ...VALID, [field]: 'dix signes X' }).replace('X', '\\ud800')
    const { status, body } = await post(site, json, createVisitor())
    expect(status).toBe(400)
    expect(body.errors).toEqual([
      { field, code: 'broken-text', detail: sentenceOf(field, 'broken-text') },
    ])
  },
)

test('an empty object is answered with the sentence of the required fields', async () => {
  const { status, body } = await post(site, {}, createVisitor())
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'required', detail: fr.contact.faults.required })
  expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
    'firstName',
    'lastName',
    'email',
    'message',
    'formStartTime',
  ])
})

test('a missing start time is 400', async () => {
  const { formStartTime, ...rest } = VALID
  const { body } = await post(site, rest, createVisitor())
  expect(body.code).toBe('start-time-invalid')
})

test('of several faults the first of section 5 is the sentence, and each field has one', async () => {
  const everything = {
    formStartTime: String(NOON),
    firstName: '',
    lastName: `${'x'.repeat(101)}\ny`,
    email: 'no',
    message: 'court',
    service: 'plumbing',
  }
  const { body } = await post(site, everything, createVisitor())
  expect(body.detail).toBe(fr.contact.faults['too-fast'])
  const faults = body.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`)
  expect(faults).toEqual([
    'formStartTime too-fast',
    'firstName required',
    'email email-invalid',
    'message message-too-short',
    'service unknown-service',
    'lastName line-break',
  ])
})

const inOrder: [keyof Faults, object][] = [
  ['too-fast', { formStartTime: String(NOON) }],
  ['required', { firstName: '' }],
  ['email-invalid', { email: 'no' }],
  ['message-too-short', { message: 'court' }],
  ['unknown-service', { service: 'plumbing' }],
  ['line-break', { lastName: 'a\nb' }],
]

test.each(inOrder.slice(0, -1).map(([code, change], index) => ({ code, change, index })))(
  '$code is said before all that comes later',
  async ({ code, change, index }) => {
    const later = inOrder.slice(index + 1).map(([, each]) => each)
    const { body } = await post(
      site,
      Object.assign({ ...VALID }, change, ...later),
      createVisitor(),
    )
    expect(body.code).toBe(code)
    expect(body.detail).toBe(fr.contact.faults[code])
  },
)

test('too fast says when to try again and with which start time, by the server’s clock', async () => {
  const body = { ...VALID, formStartTime: String(NOON + 5_000_000) }
  const { headers } = await post(site, body, createVisitor())
  expect(headers['retry-after']).toBe('3')
  expect(headers['form-start-time']).toBe(String(NOON))
})

test('the form too fast has the same headers', async () => {
  const { headers } = await postForm(
    site,
    { ...VALID, formStartTime: String(NOON) },
    createVisitor(),
  )
  expect(headers).toMatchObject({ 'retry-after': '3', 'form-start-time': String(NOON) })
})

test('only too fast has a Form-Start-Time', async () => {
  const { headers } = await post(site, { ...VALID, email: 'no' }, createVisitor())
  expect(headers).not.toHaveProperty('form-start-time')
})

test.each(rows)('%s is said in English too', async (_name, change, field, code) => {
  const headers = { ...createVisitor(), Cookie: 'rg-language=en' }
  const { body } = await post(site, { ...VALID, ...change }, headers)
  expect(body.detail).toBe(sentenceOf(field, code, en))
})
