import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createOpenApi } from '../../../server/api/openapi.ts'
import { measure } from '../../../server/inbox/measure.ts'
import { createStore } from '../../../server/inbox/store.ts'
import { CONTACT_FIELDS } from '../../../shared/contact-fields.ts'
import { checkContact } from '../../../shared/contact-schema.ts'
import { mapKeys } from '../../../shared/format.ts'
import { createFolder } from '../../support/folders.ts'
import { createFailingRenderer, DIST } from '../../support/site.ts'
import {
  createVisitor,
  get,
  getStatuses,
  NOON,
  report,
  restartSite,
  send,
  sendBody,
  sendForm,
  setUpSite,
  setUpSitePerTest,
  site,
  tally,
  VALID,
} from '../setup.ts'

const path = `${createFolder()}/inbox.sqlite`
const renderer = await createFailingRenderer('services')

describe('a report of an error in a browser', () => {
  const REPORT = {
    message: "Uncaught TypeError: Cannot read properties of undefined (reading 'Zoé')",
    stack: 'TypeError: Zoé\n    at Zoé (https://www.example.ca/assets/app-1a2b.js:1:2)',
    path: '/services',
  }
  const PERSON = 'Zoé Tremblay, zoe@exemple.ca, 613-555-0199, 12 rue Laurier'

  setUpSite({ database: path })

  /** The example in the log of a site that got this report and was stopped. */
  async function readExample(body: object): Promise<object> {
    await restartSite({ database: path })
    await report(body).expect(204)
    const { logged } = site
    await restartSite({ database: path })
    expect(JSON.stringify(logged)).not.toMatch(/Zo[eé]|613-555/)
    const line = logged.find(({ msg }) => /scripts failed/.test(String(msg)))
    expect(line).toMatchObject({ level: 40, reports: 1 })
    return Object(line?.examples)[0]
  }

  test('keeps the page, the type of the error and the location in a built file', async () => {
    const [script = ''] = readdirSync(join(DIST, 'client/assets')).filter((name) =>
      /js$/.test(name),
    )
    const stack = `Error: Zoé\n at a (https://x.ca/assets/other.js:3:4)\n at b (https://x.ca/assets/${script}:1:2)`
    const location = `${script}:1:2`
    expect(await readExample({ ...REPORT, stack })).toEqual({
      page: 'services',
      type: 'TypeError',
      location,
    })
    const message = 'Minified React error #418; visit https://react.dev/errors/418?args[]=Zoé'
    const type = 'Minified React error #418'
    expect(await readExample({ message })).toEqual({ page: 'not-found', type })
  })

  test.each<[name: string, body: Record<string, unknown>]>([
    ['a quoted text', { message: `Token: "${PERSON}"`, stack: PERSON, path: `/${PERSON}` }],
    ['a text as the location', { stack: `Error\n at https://a.ca/assets/${PERSON}.js:1:2` }],
    ['a file of another build', { stack: 'Error\n at https://a.ca/assets/Zoe.Tremblay.js:1:1' }],
    ['other types', { message: 'x', stack: 7, path: [] }],
  ])('keeps nothing of %s', async (_name, body) => {
    expect(await readExample(body)).toEqual({ page: 'not-found', type: 'Error' })
  })

  test.each([
    ['without content', '{}', {}, 400],
    ['without a body', '', {}, 400],
    ['of other types', '{"message":{"toString":1}}', {}, 400],
    ['as no object', '[]', {}, 400],
    ['over 8 KiB', JSON.stringify({ ...REPORT, stack: 'z'.repeat(9000) }), {}, 413],
    ['from another site', '{}', { Origin: 'https://evil.example' }, 403],
  ])('%s is refused, and not counted', async (_name, body, headers, expected) => {
    await restartSite({ database: path })
    expect((await report(body, headers)).status).toBe(expected)
    const { logged } = site
    await restartSite({ database: path })
    expect(logged.filter(({ msg }) => /scripts failed/.test(String(msg)))).toEqual([])
  })

  test('the eleventh of an address within a minute is 429, and the ten are in the inbox, by a stop at the latest', async () => {
    const fresh = `${path}.fresh`
    await restartSite({ database: fresh })
    const visitor = createVisitor()
    const statuses = await getStatuses(11, () => report(REPORT, visitor))
    expect(tally(statuses)).toEqual({ 204: 10, 429: 1 })
    const { headers, body } = await report(REPORT, visitor).expect(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(body.code).toBe('too-many-reports')
    await restartSite({ database: path })
    const store = createStore({ kind: 'sqlite', path: fresh })
    const { errors } = await measure(store)
    await store.close()
    // Noon in UTC is the same day in Toronto.
    expect(errors).toEqual([{ day: '2026-05-04', place: 'browsers', number: 10 }])
  })
})

describe('an answer with 500', () => {
  const database = `${createFolder()}/inbox.sqlite`
  setUpSite({ database, parts: { renderer } })

  test('is counted in the inbox by page or route, by a stop at the latest; the pages for tests are not', async () => {
    const paths = ['/services', '/services', '/test-500', '/api/test-error', '/nowhere']
    for (const each of paths) await get(each)
    await restartSite()
    const store = createStore({ kind: 'sqlite', path: database })
    const { errors } = await measure(store)
    await store.close()
    expect(errors).toEqual([{ day: '2026-05-04', place: 'services', number: 2 }])
  })
})

describe('the health of the site', () => {
  let isStopping = false
  setUpSite({ parts: { isStopping: () => isStopping } })

  test.each([
    [false, 200, 'ok\n'],
    [true, 503, 'stopping\n'],
  ])(
    'while the process stops (%s), /readyz is %d; /livez and pages are served',
    async (stopping, status, text) => {
      isStopping = stopping
      const ready = await get('/readyz').expect(status, text)
      expect(ready.headers['cache-control']).toBe('no-store')
      await get('/livez').expect(200, 'ok\n')
      await get('/').expect(200)
    },
  )
})

describe('metrics', () => {
  setUpSitePerTest({ counted: true })

  /** The metrics of this name that are not 0, without the name. */
  async function read(name: string): Promise<string[]> {
    const lines = (await site.readMetrics()).split('\n')
    const own = lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    return own.map((line) => line.slice(name.length)).filter((line) => !line.endsWith(' 0'))
  }

  test('count requests by page and status, without a visitor’s text', async () => {
    const paths = ['/services', '/services?lang=en&secret', '/secret', '/other', '/livez']
    for (const path of [...paths, '/icon.svg']) await get(path)
    expect((await read('http_requests_total')).sort()).toEqual([
      '{page="/livez",status="200"} 1',
      '{page="file",status="200"} 1',
      '{page="not-found",status="404"} 2',
      '{page="services",status="200"} 2',
    ])
    expect(await site.readMetrics()).not.toContain('secret')
    // The site itself does not serve them.
    await get('/metrics').expect(404)
  })

  test('count contact requests by outcome, errors of browsers, and messages that wait', async () => {
    const visitor = createVisitor()
    await send({}, visitor).expect(200)
    await send({}, visitor).expect(200)
    await sendForm({ url: 'x' }).expect(303)
    await sendForm({ message: 'short' }).expect(400)
    await sendBody('{').expect(400)
    await send({ message: 'A second message' }).expect(200)
    await send({ message: 'A third message' }, visitor).expect(429)
    await report({ message: 'x', path: '/secret' })
    expect(await read('client_errors_total')).toEqual([' 1'])
    expect(await read('inbox_messages')).toEqual(['{status="new"} 2', '{status="quarantined"} 1'])
    const letter = "INSERT INTO outbox (id, queued_at, attempts) VALUES ('letter', $1, 0)"
    await site.store.transaction((db) => db.change(letter, [NOON]))
    expect(await read('inbox_last_letter_seconds')).toEqual([` ${NOON / 1000}`])
    await site.store.close()
    expect(await read('inbox_messages')).toEqual([])
    await send().expect(503)
    expect((await read('contact_requests_total')).sort()).toEqual([
      '{outcome="accepted"} 2',
      '{outcome="limit-reached"} 1',
      '{outcome="malformed-json"} 1',
      '{outcome="message-too-short"} 1',
      '{outcome="quarantined"} 1',
      '{outcome="repeated"} 1',
      '{outcome="unavailable"} 1',
    ])
  })
})

describe('the OpenAPI document', () => {
  setUpSite({ environment: { CONTACT_LIMIT: '7', CONTACT_WINDOW_MINUTES: '90' } })

  const document = createOpenApi('https://www.example.ca', { count: 7, windowMinutes: 90 })
  const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
  const formats = { uuid: UUID, 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) }
  const ajv = new Ajv2020({ strict: false, formats }).addSchema(document, 'api')
  const validators = mapKeys(['ContactRequest', 'Receipt', 'Problem'], (name) =>
    ajv.compile({ $ref: `api#/components/schemas/${name}` }),
  )

  test('is valid OpenAPI 3.1, with the origin of the site and the limit in force', async () => {
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
    ...['Zoé\nL.', 'Zoé\u2028L.', 'zoe@exemple', 'zoe@exemple.québec', 'user%x+tag@y.ca'],
    ...['zo e@exemple.ca', `a@${`${'b'.repeat(60)}.`.repeat(4)}ca`, `a@${'b'.repeat(64)}.ca`],
    ...['a@b_c.ca', 'a@-b.ca', 'a@b-.ca', 'a@b..ca', '\x01\x02'],
    ...['zoe@mon–exemple.ca', 'zoe@exemple.ca»', 'a@1.2', 'a@0x7f.1', 'a@exemple.c'],
    ...['a@\u200b-x.ca', 'a@x-\u200b.ca', 'a@\u0301x.ca'],
    ...['\u200b@exemple.ca', 'zoe@\u200b.ca', 'zoe@exemple.\u200b'],
    ...[`  ${'é'.repeat(9)}  `, `  ${'é'.repeat(message.maxLength)}\n`],
    ...LENGTHS.flatMap((length) => [length - 1, length, length + 1]).flatMap((length) => [
      'é'.repeat(length),
      '🦺'.repeat(length),
    ]),
  ]

  // Without the traps: the document hides from bots that a filled one is accepted.
  test.each([...Object.keys(CONTACT_FIELDS), 'formStartTime', 'more'])(
    'agrees with the check on every %s',
    (field) => {
      for (const value of VALUES) {
        const body = JSON.parse(JSON.stringify({ ...VALID, [field]: value }))
        const isValid = validators.ContactRequest(body)
        expect([value, isValid]).toEqual([value, checkContact(body, NOON).ok])
      }
    },
  )

  test('describes the answers', async () => {
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
})
