import { exchange, writeRequest } from '../../../tools/harness/raw-client.ts'
import { createVisitor, NOON, send, sendBody, setUpSite, site, VALID } from '../setup.ts'

setUpSite()

interface Faulty {
  headers: Record<string, string>
  body: string
}

const addHeader = (name: string, value: string) => (request: Faulty) => ({
  ...request,
  headers: { ...request.headers, [name]: value },
})

/** Each change fails at one step. The site runs these steps in this order. */
const faults: { step: string; code: string; make: (request: Faulty) => Faulty }[] = [
  { step: 'origin', code: 'cross-site', make: addHeader('Origin', 'null') },
  {
    step: 'media type',
    code: 'unsupported-media-type',
    make: addHeader('Content-Type', 'text/plain'),
  },
  {
    step: 'size',
    code: 'too-large',
    make: ({ headers, body }) => ({ headers, body: `${body}${' '.repeat(33 * 1024)}{` }),
  },
  { step: 'parse', code: 'malformed-json', make: (request) => ({ ...request, body: '{' }) },
]

const pairs = faults.flatMap((first, index) =>
  faults.slice(index + 1).map((second) => ({ first, second })),
)

test.each(pairs)('$first.step before $second.step', async ({ first, second }) => {
  const valid = { headers: {}, body: JSON.stringify(VALID) }
  const { headers, body } = first.make(second.make(valid))
  expect((await sendBody(body, headers)).body.code).toBe(first.code)
})

test('method before origin and media type', async () => {
  const headers = { Origin: 'null', 'Content-Type': 'text/plain', 'Content-Length': 40_000 }
  const answer = await exchange(site, writeRequest('PUT', '/api/contact', headers))
  expect(answer).toMatch(/^HTTP\/1\.1 405 /)
})

test.each([
  ['section 5 before the rest of the shape', { message: 'court' }, 'message-too-short'],
  ['the shape before the trap', { website: 'x' }, 'unknown-service'],
])('%s', async (_name, change, code) => {
  const { status, body } = await send({ service: 'no', ...change })
  expect(status).toBe(400)
  expect(body.code).toBe(code)
})

test('the rules before the replay: a key does not excuse a faulty request', async () => {
  const headers = { ...createVisitor(), 'Idempotency-Key': 'order-1' }
  expect((await send({}, headers)).status).toBe(200)
  const { body } = await send({ formStartTime: String(NOON) }, headers)
  expect(body.code).toBe('too-fast')
})

test('the rules before the limit: with the limit used up, a faulty request is 400', async () => {
  const visitor = createVisitor()
  await send({}, visitor)
  await send({}, visitor)
  expect((await send({ email: 'no' }, visitor)).status).toBe(400)
  expect((await send({}, visitor)).status).toBe(429)
})
