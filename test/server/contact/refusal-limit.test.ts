import { jest } from '@jest/globals'
import type { Request } from 'express'
import { createFloodLimit } from '../../../server/requests/flood-limit.ts'
import { company } from '../../../shared/content/company.ts'
import { formatPhone } from '../../../shared/format.ts'
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
  VALID,
} from '../setup.ts'

const COUNT = 30

setUpSite()

const repeat = async (times: number, request: () => PromiseLike<{ status: number }>) => [
  ...new Set(await getStatuses(times, request)),
]

const early = { formStartTime: String(NOON) }

test.each<[status: number, name: string, request: (visitor: object) => ReturnType<typeof send>]>([
  [400, 'a broken rule', (visitor) => sendBody({}, visitor)],
  [400, 'too fast', (visitor) => send(early, visitor)],
  [400, 'a broken form', (visitor) => sendFormBody('', visitor)],
  [403, 'another site', (visitor) => send({}, { ...visitor, Origin: 'null' })],
  [413, 'too large', (visitor) => sendBody('x'.repeat(33_000), visitor)],
  [415, 'plain text', (visitor) => send({}, { ...visitor, 'Content-Type': 'text/plain' })],
])('after 30 times %d (%s) everything is 429', async (status, _name, request) => {
  const visitor = createVisitor()
  expect(await repeat(COUNT, () => request(visitor))).toEqual([status])
  const api = await send({}, visitor).expect(429)
  expect(api.body.code).toBe('too-many-refusals')
  expect(Number(api.headers['retry-after'])).toBeGreaterThan(0)
  expect(api.body.detail).toContain(formatPhone(company.phone, 'fr'))
  expect(api.body.detail).toContain(company.email)
  const form = await sendForm({}, visitor).expect(429)
  expect(form.text).toContain(company.email)
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
    const { text } = await sendForm({ message: 'Court' }, visitor).expect(429)
    expect(text).toContain(`value="${VALID.email}"`)
    expect(text).toMatch(/<textarea[^>]*>Court<\/textarea>/)
    expect(text).not.toContain('href="#message"')
  })

  test('closes its connection if it is too large', async () => {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded', ...visitor }
    const sent = { ...type, 'Transfer-Encoding': 'chunked', Connection: undefined }
    const body = `fffff\r\n${'x'.repeat(0xfffff)}\r\n0\r\n\r\n`
    const { status, headers } = await askRaw(writeRequest('POST', '/contact', sent, body))
    expect([status, headers.connection]).toEqual([429, 'close'])
  })
})

test('accepted messages do not count', async () => {
  const visitor = { ...createVisitor(), 'Idempotency-Key': 'again' }
  expect(await repeat(COUNT + 1, () => send({}, visitor))).toEqual([200])
})

describe('the limit by itself', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  const start = (maxAddresses?: number) =>
    createFloodLimit({ count: 2, windowMinutes: 15, maxAddresses })
  const from = (ip: string) => ({ ip }) as Request

  function check(limit: ReturnType<typeof start>, visitor: Request): unknown {
    try {
      return limit.check(visitor)
    } catch (error) {
      return error
    }
  }

  test('frees after 15 minutes', () => {
    const limit = start()
    const visitor = from('203.0.113.7')
    limit.count(visitor)
    expect(check(limit, visitor)).toBeUndefined()
    limit.count(visitor)
    const code = 'too-many-refusals'
    jest.advanceTimersByTime(5 * MINUTE)
    expect(check(limit, visitor)).toMatchObject({ code, retryAfterSeconds: 600 })
    jest.advanceTimersByTime(10 * MINUTE - 1)
    expect(check(limit, visitor)).toMatchObject({ code, retryAfterSeconds: 1 })
    jest.advanceTimersByTime(1)
    expect(check(limit, visitor)).toBeUndefined()
    limit.count(visitor)
    expect(check(limit, visitor)).toBeUndefined()
  })

  test('frees after 15 minutes also when the event loop is late', () => {
    const limit = start()
    const visitor = from('203.0.113.7')
    for (const _ of [1, 2]) limit.count(visitor)
    const late = performance.now() + 15 * MINUTE
    jest.spyOn(performance, 'now').mockReturnValue(late)
    expect(check(limit, visitor)).toBeUndefined()
    jest.restoreAllMocks()
  })

  test('forgets each address when its window ends, without another request', () => {
    const limit = start()
    limit.count(from('203.0.113.7'))
    jest.advanceTimersByTime(5 * MINUTE)
    limit.count(from('203.0.113.8'))
    jest.advanceTimersByTime(10 * MINUTE)
    expect(limit.size()).toBe(1)
    jest.advanceTimersByTime(5 * MINUTE)
    expect(limit.size()).toBe(0)
  })

  test('forgets the oldest counts when there are too many addresses', () => {
    const limit = start(2)
    const one = from('192.0.2.1')
    const two = from('192.0.2.2')
    for (const visitor of [one, one, two, two]) limit.count(visitor)
    expect(check(limit, one)).toMatchObject({ code: 'too-many-refusals' })
    limit.count(from('192.0.2.3'))
    expect(check(limit, one)).toBeUndefined()
    expect(check(limit, two)).toMatchObject({ code: 'too-many-refusals' })
  })
})
