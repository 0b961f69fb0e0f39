import fc from 'fast-check'
import { type Fault, mapFields, TRAP_FIELDS } from '../../../shared/contact-fields.ts'
import { SERVICE_IDS } from '../../../shared/sectors.ts'
import { HOSTILE_PIECES } from '../../support/hostile-pieces.ts'
import { NOON, sendBody, sendFormBody, setUpSite } from '../setup.ts'

setUpSite()

/** Near the limits of length. */
const LONG_PIECES = ['x'.repeat(99), 'y'.repeat(1990)]
/** Texts that UTF-8 can encode. */
const text = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE_PIECES, ...LONG_PIECES), fc.string()), {
    maxLength: 5,
  })
  .map((pieces) => pieces.join('').toWellFormed())

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
  const [, state] = /<script type="application\/json" id="state">(.*?)<\/script>/s.exec(html) ?? []
  return state && JSON.parse(state).contact.refusal.faults
}

test('JSON and form accept the same requests, and find the same faults', async () => {
  await fc.assert(
    fc.asyncProperty(fields, async (value) => {
      const json = await sendBody(value)
      const form = await sendFormBody(new URLSearchParams(value).toString())
      // URL encoding is mostly longer than JSON, so the form alone may exceed the limit of a body.
      fc.pre(form.status !== 413)
      expect(form.status).toBe(json.status === 200 ? 303 : json.status)
      expect(readFaults(form.text)).toEqual(
        json.body.errors?.map(({ field, code }: Fault) => ({ field, code })),
      )
    }),
    { numRuns: 40 },
  )
})
