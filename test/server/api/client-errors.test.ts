import request from 'supertest'
import { hangUp, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import { type Site, startSite } from '../../support/site.ts'
import { BEHIND_PROXY, createVisitor } from '../../support/visitors.ts'

const REPORT = {
  message: "Uncaught TypeError: Cannot read properties of undefined (reading 'Zoé')",
  stack: 'TypeError: Zoé\n    at Zoé (https://www.example.ca/assets/home-C6JQ2Fb-.js:1:234)',
  path: '/services',
}

let site: Site
beforeAll(async () => {
  site = await startSite({ environment: BEHIND_PROXY })
})
afterAll(() => site.stop())

const report = (body: object | string = REPORT, headers: object = {}) =>
  request(site.url)
    .post('/api/client-errors')
    .set({ 'Content-Type': 'application/json', ...createVisitor(), ...headers })
    .send(typeof body === 'string' ? body : JSON.stringify(body))
const loggedFor = (headers: Record<string, string>) =>
  site.logged.find(
    (entry) => entry.requestId === headers['x-request-id'] && entry.message !== undefined,
  )

test('a script error is logged with its request id, by the id of its page', async () => {
  const { status, headers, text } = await report()
  expect(status).toBe(204)
  expect(text).toBe('')
  expect(loggedFor(headers)).toMatchObject({
    level: 50,
    page: 'services',
    message: 'TypeError: … Cannot read properties of undefined reading …',
    places: ['assets/home-C6JQ2Fb-.js:1:234'],
  })
})

test('a path that is none of ours is not written down', async () => {
  const { headers } = await report({ ...REPORT, path: '/secret' })
  expect(loggedFor(headers)).toMatchObject({ page: 'not-found' })
  expect(JSON.stringify(site.logged)).not.toContain('secret')
})

test('what is written down is bounded, and stays on its line', async () => {
  const long = `not\r\n\u001b[31m${' not'.repeat(1000)}`
  const { status, headers } = await report({ ...REPORT, message: long })
  expect(status).toBe(204)
  expect((loggedFor(headers) as { message: string }).message).toMatch(/^not …( not){100,124} …$/)
})

test('nothing of it is written down that a visitor may have typed', async () => {
  const person = 'Zoé Tremblay, zoe@exemple.ca, 613-555-0199, 12 rue Laurier'
  const { headers } = await report({
    message: `Unexpected token: "${person}" is not valid JSON`,
    stack: `SyntaxError: ${person}\n at https://a.ca/assets/a-b.js:1:2?${person}\n at ${person}`,
    path: `/${person}`,
  })
  expect(loggedFor(headers)).toMatchObject({
    message: 'Unexpected token … is not … JSON',
    places: ['assets/a-b.js:1:2'],
  })
  expect(JSON.stringify(site.logged)).not.toMatch(/Zo|Tremblay|exemple|613|Laurier/)
})

test("React's own errors keep their number", async () => {
  const message = 'Minified React error #418; visit https://react.dev/errors/418?args[]=Zoé'
  const { headers } = await report({ ...REPORT, message })
  expect(loggedFor(headers)).toMatchObject({ message: 'Minified React error #418' })
})

test.each([{}, { message: null }, { message: { toString: 1 }, stack: 7, path: [] }])(
  'an odd report does no harm: %j',
  async (body) => {
    expect((await report(body)).status).toBe(204)
  },
)

test('over 8 KiB is 413', async () => {
  expect((await report({ ...REPORT, stack: 'z'.repeat(9000) })).status).toBe(413)
})

test.each([
  ['broken JSON', '{', {}, 400],
  ['no object', '[]', {}, 400],
  ['another media type', '{}', { 'Content-Type': 'text/plain' }, 415],
  ['another site', '{}', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['a foreign origin', '{}', { Origin: 'https://evil.example' }, 403],
])('%s is refused', async (_name, body, headers, expected) => {
  const { status } = await report(body, headers)
  expect(status).toBe(expected)
})

test('the eleventh report of an address within a minute is 429, and not logged', async () => {
  const visitor = createVisitor()
  const statuses = []
  for (let index = 0; index < 10; index += 1) statuses.push((await report({}, visitor)).status)
  expect(new Set(statuses)).toEqual(new Set([204]))
  const { status, headers } = await report(REPORT, visitor)
  expect(status).toBe(429)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(loggedFor(headers)).toBeUndefined()
})

test('one who leaves in the middle of a report is no error of ours', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': 99 }
  const before = site.logged.length
  await hangUp(site, writeRequest('POST', '/api/client-errors', headers, '{"message":'))
  await until(() => site.logged.slice(before).some(({ left }) => left))
  // What the departure sets off has come to its end when another request has been answered.
  await request(site.url).get('/livez')
  expect(site.logged.slice(before).filter(({ level }) => Number(level) > 30)).toEqual([])
})

test('another method is 405 with Allow', async () => {
  const { status, headers } = await request(site.url).get('/api/client-errors')
  expect(status).toBe(405)
  expect(headers.allow).toBe('POST')
})
