import { jest } from '@jest/globals'
import type { Request, Response } from 'express'
import { createRefusalLimit } from '../../../server/contact/refusal-limit.ts'
import { Refusal } from '../../../server/errors.ts'
import { post, postForm, VALID } from '../../helpers/contact.ts'
import { NOON, type Site, startSite } from '../../helpers/site.ts'
import { BEHIND_PROXY, createVisitor } from '../../helpers/visitors.ts'

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

const refused: [status: number, name: string, send: Send][] = [
  [400, 'a broken rule', (visitor) => post(site, {}, visitor)],
  [400, 'broken JSON', (visitor) => post(site, '{', visitor)],
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

test('too fast does not count', async () => {
  const visitor = createVisitor()
  const early = { ...VALID, formStartTime: String(NOON) }
  expect(await repeat(COUNT + 1, () => post(site, early, visitor))).toEqual([400])
  expect((await post(site, VALID, visitor)).status).toBe(200)
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

describe('the window', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  test('frees after 15 minutes', async () => {
    const { gate, count } = createRefusalLimit({ count: 2, windowMinutes: 15 })
    const req = { ip: '203.0.113.7' } as Request
    const pass = async () => {
      let outcome: unknown
      await gate(req, {} as Response, (error) => {
        outcome = error
      })
      return outcome
    }
    await count(req, new Refusal('malformed-json'))
    await count(req, new Refusal('unavailable'))
    await count(req, new Refusal('server-error'))
    expect(await pass()).toBeUndefined()
    await count(req, new Refusal('cross-site'))
    jest.advanceTimersByTime(5 * 60_000)
    expect(await pass()).toMatchObject({
      code: 'too-many-refusals',
      headers: { 'Retry-After': '600' },
    })
    jest.advanceTimersByTime(10 * 60_000)
    expect(await pass()).toBeUndefined()
  })
})
