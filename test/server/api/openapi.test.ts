import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createOpenApi } from '../../../server/api/openapi.ts'
import { CONTACT_FIELDS } from '../../../shared/contact-fields.ts'
import { checkContact } from '../../../shared/contact-schema.ts'
import { mapKeys } from '../../../shared/format.ts'
import { SERVICE_IDS } from '../../../shared/sectors.ts'
import {
  createVisitor,
  get,
  getStatuses,
  NOON,
  send,
  sendBody,
  setUpSite,
  site,
  VALID,
} from '../setup.ts'

const document = createOpenApi('https://www.example.ca', { count: 2, windowMinutes: 60 })
const { responses } = document.paths['/api/contact'].post

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const formats = { uuid: UUID, 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) }
const ajv = new Ajv2020({ strict: false, allErrors: true, formats }).addSchema(document, 'api')
const validators = mapKeys(['ContactRequest', 'Receipt', 'Problem'], (name) =>
  ajv.compile({ $ref: `api#/components/schemas/${name}` }),
)
const findFaults = (schema: keyof typeof validators, value: unknown) =>
  validators[schema](value) ? [] : validators[schema].errors

test('the document is valid OpenAPI 3.1, names the limit in force, and asks for what is required', async () => {
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
  const { paths, components } = createOpenApi('https://a.ca', { count: 7, windowMinutes: 90 })
  expect(paths['/api/contact'].post.description).toContain('7 messages in 90 minutes')
  const required = ['firstName', 'lastName', 'email', 'message', 'formStartTime']
  expect(components.schemas.ContactRequest.required).toEqual(required)
})

const { firstName, email, message } = CONTACT_FIELDS
const LENGTHS = [firstName.maxLength, email.maxLength, message.minLength, message.maxLength]
/** Values on both sides of each rule. */
const VALUES = [
  ...[undefined, null, 1, [], '', '   ', 'noon', '0', 'plumbing', ...SERVICE_IDS],
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
const FIELDS = [...Object.keys(CONTACT_FIELDS), 'formStartTime', 'more']

test.each(FIELDS)('schema and check agree on every %s', (field) => {
  for (const value of VALUES) {
    const body = JSON.parse(JSON.stringify({ ...VALID, [field]: value }))
    const isValid = findFaults('ContactRequest', body)?.length === 0
    expect([value, isValid]).toEqual([value, checkContact(body, NOON).ok])
  }
})

describe('of a site', () => {
  setUpSite()

  test('/api/openapi.json is the document with the origin of the site', async () => {
    const { headers, body } = await get('/api/openapi.json').expect(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    const servers = [{ url: `http://localhost:${new URL(site.url).port}` }]
    expect(body).toEqual(JSON.parse(JSON.stringify({ ...document, servers })))
  })

  test('answers are as described', async () => {
    const visitor = createVisitor()
    expect(findFaults('Receipt', (await send({}, visitor)).body)).toEqual([])
    await getStatuses(2, (index) => send({ lastName: `${index}` }, visitor))
    for (const answer of [
      await send({ firstName: ' ', email: 'zoe@exemple' }),
      await sendBody('{'),
      await send({}, { 'Content-Type': 'text/plain' }),
      await send({ lastName: 'Roy' }, visitor),
    ]) {
      expect(findFaults('Problem', answer.body)).toEqual([])
      expect(Object.keys(responses)).toContain(`${Math.floor(answer.status / 100)}XX`)
      expect(answer.headers['problem-code']).toBe(answer.body.code)
    }
  })
})
