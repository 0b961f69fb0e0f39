import type { Fault } from '../../../shared/contact-fields.ts'
import { describeFault } from '../../../shared/contact-sentences.ts'
import { en, fr } from '../../../shared/content/index.ts'
import { NOON, send, sendBody, sendForm, setUpSite, site } from '../setup.ts'

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

test('a value of another type and a lone surrogate, which only JSON can carry, are 400', async () => {
  await expectRefusal({ website: false }, 'website', 'wrong-type')
  await expectRefusal({ message: 'dix signes \ud800' }, 'message', 'broken-text')
})

test('an empty object is answered with the sentence of the required fields', async () => {
  const { body } = await sendBody({}).expect(400)
  expect(body).toMatchObject({ code: 'required', detail: fr.contact.faults.required })
  const fields = body.errors.map(({ field }: { field: string }) => field)
  expect(fields).toEqual(['firstName', 'lastName', 'email', 'message', 'formStartTime'])
})

test('only too fast has the time to wait and the start time to send, by the server’s clock', async () => {
  const fast = { formStartTime: String(NOON + 5_000_000) }
  const expected = { 'retry-after': '3', 'form-start-time': String(NOON) }
  expect((await send(fast)).headers).toMatchObject(expected)
  expect((await sendForm(fast)).headers).toMatchObject(expected)
  expect((await send({ email: 'no' })).headers).not.toHaveProperty('form-start-time')
})
