import type { Request, Response } from 'express'
import { createRefusalLimit, type RefusalLimit } from '../../../server/contact/refusal-limit.ts'
import { Refusal } from '../../../server/errors.ts'
import { post, postForm, VALID } from '../../../tools/harness/contact.ts'
import { NOON, type Site, startSite } from '../../support/site.ts'
import { BEHIND_PROXY, createVisitor } from '../../support/visitors.ts'

const COUNT = 30

let site: Site
beforeAll(async () => {
  site = await startSite({ environment: BEHIND_PROXY })
})
afterAll(() => site.stop())

type Send = (visitor: object) => Promise<{ status: number }>

async function repeat(times: number, send: () => Promise<{ status: number }>) {
  const statuses = new Set<number>()
  for (let time = 0; time < times; time += 1) statuses.add((await send()).status)
  return [...statuses]
}

const early = { ...VALID, formStartTime: String(NOON) }
const refused: [status: number, name: string, send: Send][] = [
  [400, 'a broken rule', (visitor) => post(site, {}, visitor)],
  [400, 'broken JSON', (visitor) => post(site, '{', visitor)],
  [400, 'too fast', (visitor) => post(site, early, visitor)],
  [400, 'a form too fast', (visitor) => postForm(site, early, visitor)],
  [400, 'a broken form', (visitor) => postForm(site, {}, visitor)],
  [403, 'another site', (visitor) => post(site, VALID, { ...visitor, Origin: 'null' })],
  [413, 'too much', (visitor) => post(site, 'x'.repeat(33_000), visitor)],
  [415, 'plain text', (visitor) => post(site, VALID, { ...visitor, 'Content-Type': 'text/plain' })],
]

test.each(refused)('after 30 times %d (%s) everything is 429', async (status, _name, send) => {
  const visitor = createVisitor()
  expect(await repeat(COUNT, () => send(visitor))).toEqual([status])
  const api = await post(site, VALID, visitor)
  expect(api.status).toBe(429)
  expect(api.body.code).toBe('too-many-refusals')
  expect(Number(api.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(api.headers['retry-after'])).toBeLessThanOrEqual(15 * 60)
  expect(api.body.detail).toContain('613\u00a0555-0199')
  expect(api.body.detail).toContain('info@example.ca')
  const form = await postForm(site, VALID, visitor)
  expect(form.status).toBe(429)
  expect(form.text).toContain('info@example.ca')
  expect((await send(visitor)).status).toBe(429)
  expect((await post(site, VALID, createVisitor())).status).toBe(200)
})

test('the limit of messages counts as a refusal', async () => {
  const visitor = createVisitor()
  await repeat(2, () => post(site, VALID, visitor))
  expect(await repeat(COUNT, () => post(site, VALID, visitor))).toEqual([429])
  const { body } = await post(site, VALID, visitor)
  expect(body.code).toBe('too-many-refusals')
})

describe('the form of one who is stopped', () => {
  const visitor = createVisitor()
  beforeAll(() => repeat(COUNT, () => post(site, '{', visitor)))

  test('comes back as it was typed', async () => {
    const { status, text } = await postForm(site, { ...VALID, message: 'Court' }, visitor)
    expect(status).toBe(429)
    expect(text).toContain(`value="${VALID.email}"`)
    expect(text).toMatch(/<textarea[^>]*>Court<\/textarea>/)
    expect(text).not.toContain('à corriger')
  })

  test.each([
    ['from another site', VALID, { Origin: 'https://evil.example' }],
    ['too long', { ...VALID, message: 'x'.repeat(33_000) }, {}],
    ['of another kind', VALID, { 'Content-Type': 'text/plain' }],
  ])('comes back empty when it is %s', async (_name, values, headers) => {
    const { status, text } = await postForm(site, values, { ...visitor, ...headers })
    expect(status).toBe(429)
    expect(text).toContain('info@example.ca')
    expect(text).not.toContain(VALID.email)
  })
})

test('29 refusals lock nobody out', async () => {
  const visitor = createVisitor()
  await repeat(COUNT - 1, () => post(site, {}, visitor))
  expect((await post(site, VALID, visitor)).status).toBe(200)
})

test('a visitor whose clock is wrong is not locked out: each message is refused once, then accepted', async () => {
  const visitor = createVisitor()
  for (const message of ['Bonjour à tous.', 'Rebonjour à tous.']) {
    const early = { ...VALID, message, formStartTime: String(NOON) }
    const { headers } = await post(site, early, visitor)
    site.clock.time = NOON + 3000
    const formStartTime = headers['form-start-time']
    const again = await post(site, { ...early, formStartTime }, visitor)
    site.clock.time = NOON
    expect(again.status).toBe(200)
  }
})

test('what is accepted does not count', async () => {
  const visitor = { ...createVisitor(), 'Idempotency-Key': 'again' }
  expect(await repeat(COUNT + 1, () => post(site, VALID, visitor))).toEqual([200])
})

test('pages are served all the same', async () => {
  const visitor = createVisitor()
  await repeat(COUNT + 1, () => post(site, '{', visitor))
  const { status } = await fetch(`${site.url}/contact`, { headers: visitor })
  expect(status).toBe(200)
})

describe('the limit by itself', () => {
  const MINUTE = 60_000
  let time = NOON
  const start = (maxAddresses?: number) =>
    createRefusalLimit({ limit: { count: 2, windowMinutes: 15 }, now: () => time, maxAddresses })
  const from = (ip: string) => ({ ip }) as Request
  const req = from('203.0.113.7')

  async function pass({ gate }: RefusalLimit, request = req): Promise<unknown> {
    let outcome: unknown
    await gate(request, {} as Response, (error) => {
      outcome = error
    })
    return outcome
  }

  test('frees after 15 minutes', async () => {
    const limit = start()
    limit.count(req, new Refusal('malformed-json'))
    limit.count(req, new Refusal('unavailable'))
    limit.count(req, new Refusal('server-error'))
    expect(await pass(limit)).toBeUndefined()
    limit.count(req, new Refusal('cross-site'))
    time += 5 * MINUTE
    expect(await pass(limit)).toMatchObject({
      code: 'too-many-refusals',
      headers: { 'Retry-After': '600' },
    })
    time += 10 * MINUTE
    expect(await pass(limit)).toBeUndefined()
    limit.count(req, new Refusal('cross-site'))
    expect(await pass(limit)).toBeUndefined()
  })

  test('asks for a second at least when the window ends while it is looked at', async () => {
    const start = time
    let isCounted = false
    const limit = createRefusalLimit({
      limit: { count: 1, windowMinutes: 15 },
      now: () => (isCounted ? time++ : start),
    })
    limit.count(req, new Refusal('cross-site'))
    isCounted = true
    // Each look at the clock passes a millisecond: find the last refusal of the window.
    const waits: unknown[] = []
    for (let early = 1; early < 10; early += 1) {
      time = start + 15 * MINUTE - early
      const refusal = await pass(limit)
      if (refusal instanceof Refusal) waits.push(refusal.headers?.['Retry-After'])
    }
    expect(new Set(waits)).toEqual(new Set(['1']))
  })

  test('frees when the clock was ahead', async () => {
    const limit = start()
    for (const _ of [1, 2]) limit.count(req, new Refusal('cross-site'))
    time -= MINUTE
    expect(await pass(limit)).toBeUndefined()
  })

  test('forgets what was counted longest ago when there are too many addresses', async () => {
    const limit = start(4)
    const refuse = (...requests: Request[]) => {
      for (const each of requests) limit.count(each, new Refusal('cross-site'))
    }
    const two = from('192.0.2.2')
    refuse(req, req, from('192.0.2.1'), two)
    expect(await pass(limit)).toMatchObject({ code: 'too-many-refusals' })
    refuse(two, from('192.0.2.3'), from('192.0.2.4'))
    expect(await pass(limit)).toBeUndefined()
    expect(await pass(limit, two)).toMatchObject({ code: 'too-many-refusals' })
  })
})
