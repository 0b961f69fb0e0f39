import type { Fault } from '../../../shared/contact-faults.ts'
import { describeFault } from '../../../shared/contact-sentences.ts'
import { en, fr } from '../../../shared/content/index.ts'
import { NOON, send, sendBody, sendForm, setUpSite, site, VALID } from '../setup.ts'

setUpSite()
afterEach(async () => expect(await site.messages()).toEqual([]))

type Field = Fault['field']
type Code = Fault['code']
type Row = [name: string, change: Record<string, string>, field: Field, code: Code]

const breaks = { CR: '\r', LF: '\n', VT: '\v', FF: '\f', NEL: '\u0085', LS: '\u2028', PS: '\u2029' }

const rows: Row[] = [
  ['started 2999 ms ago', { formStartTime: String(NOON - 2999) }, 'formStartTime', 'too-fast'],
  ['started in the future', { formStartTime: String(NOON + 1) }, 'formStartTime', 'too-fast'],
  ...(['firstName', 'lastName', 'email', 'message'] as const).flatMap((field): Row[] => [
    [`${field} empty`, { [field]: '' }, field, 'required'],
    [`${field} of white space`, { [field]: ' \t\n\u00a0' }, field, 'required'],
    [`${field} of control characters`, { [field]: '\u0000\u0001' }, field, 'required'],
  ]),
  ['an e-mail that is none', { email: 'zoe@exemple' }, 'email', 'email-invalid'],
  ['a message of 9 characters', { message: 'neuf sign' }, 'message', 'message-too-short'],
  ['a message of 2001', { message: 'é'.repeat(2001) }, 'message', 'message-too-long'],
  ['an unknown service', { service: 'plumbing' }, 'service', 'unknown-service'],
  ['a service in capitals', { service: 'Francophone' }, 'service', 'unknown-service'],
  ['an empty start time', { formStartTime: '' }, 'formStartTime', 'start-time-invalid'],
  ['a start time in words', { formStartTime: 'noon' }, 'formStartTime', 'start-time-invalid'],
  ...Object.entries(breaks).flatMap(([name, sign]): Row[] => [
    [`${name} in the first name`, { firstName: `Zoé${sign}Roy` }, 'firstName', 'line-break'],
    [`${name} in the last name`, { lastName: `L${sign}R` }, 'lastName', 'line-break'],
    [`${name} in the e-mail`, { email: `zoe@exemple.ca${sign}b@c.ca` }, 'email', 'email-invalid'],
  ]),
  ['a first name of 101', { firstName: 'a'.repeat(101) }, 'firstName', 'too-long'],
  ['a last name of 101', { lastName: '𝒵'.repeat(101) }, 'lastName', 'too-long'],
  ['an e-mail of 255', { email: `${'a'.repeat(248)}@exe.ca` }, 'email', 'too-long'],
]

const getSentence = (field: Field, code: Code, content = fr) =>
  describeFault({ field, code }, content.contact.faults)

test.each(rows)('%s is 400 with its sentence', async (_name, change, field, code) => {
  const { status, headers, body } = await send(change)
  const detail = getSentence(field, code)
  expect(status).toBe(400)
  expect(headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(body).toMatchObject({ status: 400, code, detail })
  expect(body.errors).toEqual([{ field, code, detail }])
  const english = await send(change, { Cookie: 'rg-language=en' })
  expect(english.body.detail).toBe(getSentence(field, code, en))
  const form = await sendForm(change)
  expect(form.status).toBe(400)
  expect(form.text).toContain(detail)
})

test.each([
  ['firstName', 1],
  ['lastName', null],
  ['email', ['a@b.ca']],
  ['message', { text: 'dix signes' }],
  ['service', 4],
  ['formStartTime', NOON - 60_000],
  ['website', false],
  ['url', 0],
  ['phone_hidden', null],
] as const)('%s of a wrong type is 400', async (field, value) => {
  const { status, body } = await send({ [field]: value })
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'wrong-type', detail: getSentence(field, 'wrong-type') })
  expect(body.errors).toHaveLength(1)
})

test.each(['firstName', 'lastName', 'message'] as const)(
  'a lone surrogate in %s is 400',
  async (field) => {
    const json = JSON.stringify({ ...VALID, [field]: 'dix signes X' }).replace('X', '\\ud800')
    const { status, body } = await sendBody(json)
    expect(status).toBe(400)
    expect(body.errors).toEqual([
      { field, code: 'broken-text', detail: getSentence(field, 'broken-text') },
    ])
  },
)

test('an empty object is answered with the sentence of the required fields', async () => {
  const { status, body } = await sendBody({})
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

test('the sentence is the first fault in the order of section 5, and each field has one fault', async () => {
  const { body } = await send({
    formStartTime: String(NOON),
    firstName: '',
    lastName: `${'x'.repeat(101)}\ny`,
    email: 'no',
    message: 'court',
    service: 'plumbing',
  })
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

test('only too fast has the time to wait and the start time to send, by the server’s clock', async () => {
  const fast = { formStartTime: String(NOON + 5_000_000) }
  const expected = { 'retry-after': '3', 'form-start-time': String(NOON) }
  expect((await send(fast)).headers).toMatchObject(expected)
  expect((await sendForm(fast)).headers).toMatchObject(expected)
  expect((await send({ email: 'no' })).headers).not.toHaveProperty('form-start-time')
})
