import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createOpenApi } from '../../../server/api/openapi.ts'
import { CONTACT_FIELDS } from '../../../shared/contact-fields.ts'
import { checkContact } from '../../../shared/contact-schema.ts'
import { mapKeys } from '../../../shared/format.ts'
import { get, NOON, send, sendBody, setUpSite, site, VALID } from '../setup.ts'

setUpSite({ environment: { CONTACT_LIMIT: '7', CONTACT_WINDOW_MINUTES: '90' } })

const document = createOpenApi('https://www.example.ca', { count: 7, windowMinutes: 90 })
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const formats = { uuid: UUID, 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) }
const ajv = new Ajv2020({ strict: false, formats }).addSchema(document, 'api')
const validators = mapKeys(['ContactRequest', 'Receipt', 'Problem'], (name) =>
  ajv.compile({ $ref: `api#/components/schemas/${name}` }),
)

test('/api/openapi.json is valid OpenAPI 3.1, with the origin of the site and the limit in force', async () => {
  const { headers, body } = await get('/api/openapi.json').expect(200)
  expect(headers['content-type']).toMatch(/^application\/json/)
  expect(body.servers).toEqual([{ url: `http://localhost:${new URL(site.url).port}` }])
  expect({ ...body, servers: document.servers }).toEqual(JSON.parse(JSON.stringify(document)))
  expect(body.paths['/api/contact'].post.description).toContain('7 messages in 90 minutes')
  const required = ['firstName', 'lastName', 'email', 'message', 'formStartTime']
  expect(body.components.schemas.ContactRequest.required).toEqual(required)
  expect(await new Validator().validate(body)).toMatchObject({ valid: true })
})

const { firstName, email, message } = CONTACT_FIELDS
const LENGTHS = [firstName.maxLength, email.maxLength, message.minLength, message.maxLength]
/** Values on both sides of each rule. */
const VALUES = [
  ...[undefined, null, 1, [], '', '   ', 'noon', '0', 'plumbing', 'francophone'],
  ...['Zoé\nL.', 'Zoé\u2028L.', 'zoe@exemple', 'zoe@', 'zoe@exemple.québec', 'user%x+tag@y.ca'],
  ...['zo e@exemple.ca', `a@${`${'b'.repeat(60)}.`.repeat(4)}ca`, `a@${'b'.repeat(64)}.ca`],
  ...['a@b_c.ca', 'a@-b.ca', 'a@b-.ca', 'a@b..ca', 'a@b.ca.', '\x01\x02', ' zoe@exemple.ca '],
  ...[
    '\u202azoe@exemple.ca\u202c',
    'zoe@exem\u00adple.ca',
    'zoe@mon–exemple.ca',
    'zoe@exemple.ca»',
  ],
  ...[`  ${'é'.repeat(9)}  `, `  ${'é'.repeat(message.maxLength)}\n`],
  ...LENGTHS.flatMap((length) => [length - 1, length, length + 1]).flatMap((length) => [
    'é'.repeat(length),
    '🦺'.repeat(length),
  ]),
]

// Without the traps: the document hides from bots that a filled one is accepted.
test.each([...Object.keys(CONTACT_FIELDS), 'formStartTime', 'more'])(
  'the document and the check agree on every %s',
  (field) => {
    for (const value of VALUES) {
      const body = JSON.parse(JSON.stringify({ ...VALID, [field]: value }))
      const isValid = validators.ContactRequest(body)
      expect([value, isValid]).toEqual([value, checkContact(body, NOON).ok])
    }
  },
)

test('answers are as described', async () => {
  expect(validators.Receipt((await send()).body)).toBe(true)
  const refused = [
    await send({ firstName: ' ', email: 'zoe@exemple' }),
    await sendBody('{'),
    await send({}, { 'Content-Type': 'text/plain' }),
  ]
  for (const { body, headers } of refused) {
    expect([body, validators.Problem(body)]).toEqual([body, true])
    expect(headers['problem-code']).toBe(body.code)
  }
})
