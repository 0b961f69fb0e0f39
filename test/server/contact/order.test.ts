import { post, VALID } from '../../../tools/harness/contact.ts'
import { exchange, writeRequest } from '../../../tools/harness/raw-client.ts'
import { NOON, type Site, startSite } from '../../support/site.ts'
import { BEHIND_PROXY, createVisitor } from '../../support/visitors.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({ environment: BEHIND_PROXY })
})
afterAll(() => site.stop())

interface Faulty {
  headers?: Record<string, string | number>
  body?: string
}

/** Each makes a request fail at one step; they stand in the order of the steps. */
const faults: { step: string; code: string; make: (request: Faulty) => Faulty }[] = [
  {
    step: 'origin',
    code: 'cross-site',
    make: (request) => ({ ...request, headers: { ...request.headers, Origin: 'null' } }),
  },
  {
    step: 'media type',
    code: 'unsupported-media-type',
    make: (request) => ({
      ...request,
      headers: { ...request.headers, 'Content-Type': 'text/plain' },
    }),
  },
  {
    step: 'size',
    code: 'too-large',
    make: ({ headers, body = '' }) => ({ headers, body: body + ' '.repeat(33 * 1024) }),
  },
  { step: 'parse', code: 'malformed-json', make: (request) => ({ ...request, body: '{' }) },
]

test.each(
  faults.flatMap((first, index) => faults.slice(index + 1).map((second) => [first, second])),
)('$step before $step: %#', async (first, second) => {
  const { headers, body } = [second, first].reduce<Faulty>(
    (request, fault) => fault?.make(request) ?? request,
    { headers: {}, body: JSON.stringify(VALID) },
  )
  const sent = first?.step === 'size' ? `${body}{` : (body ?? '')
  const answer = await post(site, sent, { ...createVisitor(), ...headers })
  expect(answer.body.code).toBe(first?.code)
})

test('method before origin and media type', async () => {
  const headers = { Origin: 'null', 'Content-Type': 'text/plain', 'Content-Length': 40_000 }
  const answer = await exchange(site, writeRequest('PUT', '/api/contact', headers))
  expect(answer).toMatch(/^HTTP\/1\.1 405 /)
})

test('section 5 before the rest of the shape', async () => {
  const { body } = await post(site, { ...VALID, service: 'no', message: 'court' }, createVisitor())
  expect(body.code).toBe('message-too-short')
})

test('the shape before the trap: a faulty request with a filled trap is 400', async () => {
  const { status, body } = await post(
    site,
    { ...VALID, service: 'no', website: 'x' },
    createVisitor(),
  )
  expect(status).toBe(400)
  expect(body.code).toBe('unknown-service')
})

test('the rules before the replay: a key does not excuse a faulty request', async () => {
  const headers = { ...createVisitor(), 'Idempotency-Key': 'order-1' }
  expect((await post(site, VALID, headers)).status).toBe(200)
  const early = { ...VALID, formStartTime: String(NOON) }
  expect((await post(site, early, headers)).body.code).toBe('too-fast')
})

test('the trap before the replay: a trapped repetition is not the clean message', async () => {
  const headers = { ...createVisitor(), 'Idempotency-Key': 'order-2' }
  const clean = await post(site, VALID, headers)
  const trapped = await post(site, { ...VALID, url: 'x' }, headers)
  expect(trapped.body.reference).not.toBe(clean.body.reference)
})

test('the rules before the limit: with the limit used up, a faulty request is 400', async () => {
  const visitor = createVisitor()
  await post(site, VALID, visitor)
  await post(site, VALID, visitor)
  expect((await post(site, { ...VALID, email: 'no' }, visitor)).status).toBe(400)
  expect((await post(site, VALID, visitor)).status).toBe(429)
})
