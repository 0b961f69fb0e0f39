import type { Request, Response } from 'express'
import { createAddressLimit } from '../../../server/requests/address-limit.ts'
import { writeRequest } from '../../../tools/harness/raw-client.ts'
import {
  askRaw,
  createVisitor,
  getStatuses,
  MINUTE,
  NOON,
  send,
  sendBody,
  sendForm,
  sendFormBody,
  setUpSite,
  site,
  VALID,
} from '../setup.ts'

const COUNT = 30

setUpSite()

type Send = (visitor: object) => Promise<{ status: number }>

const repeat = async (times: number, request: () => PromiseLike<{ status: number }>) => [
  ...new Set(await getStatuses(times, request)),
]

const early = { formStartTime: String(NOON) }
const refused: [status: number, name: string, request: Send][] = [
  [400, 'a broken rule', (visitor) => sendBody({}, visitor)],
  [400, 'too fast', (visitor) => send(early, visitor)],
  [400, 'a broken form', (visitor) => sendFormBody('', visitor)],
  [403, 'another site', (visitor) => send({}, { ...visitor, Origin: 'null' })],
  [413, 'too large', (visitor) => sendBody('x'.repeat(33_000), visitor)],
  [415, 'plain text', (visitor) => send({}, { ...visitor, 'Content-Type': 'text/plain' })],
]

test.each(refused)('after 30 times %d (%s) everything is 429', async (status, _name, request) => {
  const visitor = createVisitor()
  expect(await repeat(COUNT, () => request(visitor))).toEqual([status])
  const api = await send({}, visitor)
  expect(api.status).toBe(429)
  expect(api.body.code).toBe('too-many-refusals')
  expect(Number(api.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(api.headers['retry-after'])).toBeLessThanOrEqual(15 * 60)
  expect(api.body.detail).toContain('613\u00a0555-0199')
  expect(api.body.detail).toContain('info@example.ca')
  const form = await sendForm({}, visitor)
  expect(form.status).toBe(429)
  expect(form.text).toContain('info@example.ca')
  expect((await request(visitor)).status).toBe(429)
  expect((await send()).status).toBe(200)
})

test('a message over the message limit counts as a refusal', async () => {
  const visitor = createVisitor()
  await repeat(2, () => send({}, visitor))
  expect(await repeat(COUNT, () => send({}, visitor))).toEqual([429])
  expect((await send({}, visitor)).body.code).toBe('too-many-refusals')
})

describe('the form of a stopped visitor', () => {
  const visitor = createVisitor()
  beforeAll(() => repeat(COUNT, () => sendBody('{', visitor)))

  test('is shown again with the input', async () => {
    const { status, text } = await sendForm({ message: 'Court' }, visitor)
    expect(status).toBe(429)
    expect(text).toContain(`value="${VALID.email}"`)
    expect(text).toMatch(/<textarea[^>]*>Court<\/textarea>/)
    expect(text).not.toContain('à corriger')
  })

  test('closes its connection if it is too large', async () => {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded', ...visitor }
    const sent = { ...type, 'Transfer-Encoding': 'chunked', Connection: undefined }
    const body = `fffff\r\n${'x'.repeat(0xfffff)}\r\n0\r\n\r\n`
    const { status, headers } = await askRaw(writeRequest('POST', '/contact', sent, body))
    expect([status, headers.connection]).toEqual([429, 'close'])
  })
})

test('29 refusals lock nobody out', async () => {
  const visitor = createVisitor()
  await repeat(COUNT - 1, () => sendBody({}, visitor))
  expect((await send({}, visitor)).status).toBe(200)
})

test('a wrong clock locks nobody out: each message is refused once, then accepted', async () => {
  const visitor = createVisitor()
  for (const message of ['Bonjour à tous.', 'Rebonjour à tous.']) {
    const { headers } = await send({ ...early, message }, visitor)
    site.clock.time = NOON + 3000
    const again = await send({ message, formStartTime: headers['form-start-time'] }, visitor)
    site.clock.time = NOON
    expect(again.status).toBe(200)
  }
})

test('accepted messages do not count', async () => {
  const visitor = { ...createVisitor(), 'Idempotency-Key': 'again' }
  expect(await repeat(COUNT + 1, () => send({}, visitor))).toEqual([200])
})

describe('the limit by itself', () => {
  let time = NOON
  const start = (maxAddresses?: number) =>
    createAddressLimit({ count: 2, windowMinutes: 15, now: () => time, maxAddresses })
  const from = (ip: string) => ({ ip }) as Request

  async function pass({ gate }: ReturnType<typeof start>, visitor: Request): Promise<unknown> {
    let outcome: unknown
    await gate(visitor, {} as Response, (error) => {
      outcome = error
    })
    return outcome
  }

  test('frees after 15 minutes', async () => {
    const limit = start()
    const visitor = from('203.0.113.7')
    limit.count(visitor)
    expect(await pass(limit, visitor)).toBeUndefined()
    limit.count(visitor)
    const stopped = { code: 'too-many-refusals', headers: { 'Retry-After': '600' } }
    time += 5 * MINUTE
    expect(await pass(limit, visitor)).toMatchObject(stopped)
    time += 10 * MINUTE - 1
    expect(await pass(limit, visitor)).toMatchObject({ headers: { 'Retry-After': '1' } })
    time += 1
    expect(await pass(limit, visitor)).toBeUndefined()
    limit.count(visitor)
    expect(await pass(limit, visitor)).toBeUndefined()
  })

  test('forgets the oldest counts when there are too many addresses', async () => {
    const limit = start(4)
    const one = from('192.0.2.1')
    const two = from('192.0.2.2')
    for (const visitor of [one, one, from('192.0.2.3'), two]) limit.count(visitor)
    expect(await pass(limit, one)).toMatchObject({ code: 'too-many-refusals' })
    for (const visitor of [two, from('192.0.2.4'), from('192.0.2.5')]) limit.count(visitor)
    expect(await pass(limit, one)).toBeUndefined()
    expect(await pass(limit, two)).toMatchObject({ code: 'too-many-refusals' })
  })
})
