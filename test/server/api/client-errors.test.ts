import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createVisitor, report as post, setUpSite, site } from '../setup.ts'

const ASSETS = join(import.meta.dirname, '../../../dist/client/assets')
const SCRIPT = `assets/${readdirSync(ASSETS).find((name) => name.endsWith('.js'))}`

const REPORT = {
  message: "Uncaught TypeError: Cannot read properties of undefined (reading 'Zoé')",
  stack: `TypeError: Zoé\n    at Zoé (https://www.example.ca/${SCRIPT}:1:2)`,
  path: '/services',
}

setUpSite()

/** Posts a report with changes; `logged` is its line in the log. */
async function report(change: object = {}, visitor: object = {}) {
  const { status, text, headers } = await post({ ...REPORT, ...change }, visitor)
  const id = headers['x-request-id']
  const logged = site.logged.find(
    ({ requestId, msg }) => requestId === id && msg !== 'request answered',
  )
  return { status, text, headers, logged }
}

test('a script error is logged with its request id, by the id of its page', async () => {
  const { status, text, logged } = await report()
  expect(status).toBe(204)
  expect(text).toBe('')
  expect(logged).toMatchObject({
    level: 40,
    page: 'services',
    type: 'TypeError',
    places: [`${SCRIPT}:1:2`],
  })
})

test('no text that a visitor may have typed is logged', async () => {
  const person = 'Zoé Tremblay, zoe@exemple.ca, 613-555-0199, 12 rue Laurier'
  const { logged } = await report({
    message: `Unexpected token: "${person}" is not valid JSON`,
    stack: `SyntaxError: ${person}\n at https://a.ca/${SCRIPT}:1:2?${person}\n at ${person}`,
    path: `/${person}`,
  })
  const places = [`${SCRIPT}:1:2`]
  expect(logged).toMatchObject({ page: 'not-found', type: 'Error', places })
  expect(JSON.stringify(site.logged)).not.toMatch(/Zo|Tremblay|exemple|555-0199|Laurier/)
})

test.each([
  'assets/Zoe-Tremblay-613-555-0199.js:1:2',
  `${SCRIPT.replace('.js', 'x.js')}:1:2`,
  `${SCRIPT}:1:6135550`,
  `${SCRIPT}:6135550:1`,
])('a place that the build does not have is not logged: %s', async (place) => {
  const { logged } = await report({ stack: `Error\n at https://a.ca/${place}` })
  expect(logged).toMatchObject({ places: [] })
})

test("React's own errors keep their number", async () => {
  const message = 'Minified React error #418; visit https://react.dev/errors/418?args[]=Zoé'
  expect((await report({ message })).logged).toMatchObject({ type: 'Minified React error #418' })
})

test.each([
  ['an empty report', '{}', {}, 204],
  ['a message that is null', '{"message":null}', {}, 204],
  ['other types', '{"message":{"toString":1},"stack":7,"path":[]}', {}, 204],
  ['over 8 KiB', JSON.stringify({ ...REPORT, stack: 'z'.repeat(9000) }), {}, 413],
  ['another media type', '{}', { 'Content-Type': 'text/plain' }, 415],
])('%s: %#', async (_name, body, headers, expected) => {
  expect((await post(body, headers)).status).toBe(expected)
})

test('the eleventh report of an address within a minute is 429, and not logged', async () => {
  const visitor = createVisitor()
  for (let index = 0; index < 10; index += 1) await post('{}', visitor).expect(204)
  const { status, headers, logged } = await report({}, visitor)
  expect(status).toBe(429)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(logged).toBeUndefined()
})
