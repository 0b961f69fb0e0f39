import { EventEmitter } from 'node:events'
import type { Request, Response } from 'express'
import request from 'supertest'
import { createLog } from '../../../server/log.ts'
import { logRequests } from '../../../server/requests/log-requests.ts'
import { hangUp, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import { BEHIND_PROXY } from '../../support/site.ts'
import {
  createVisitor,
  get,
  openSite,
  send,
  sendBody,
  sendForm,
  setUpSite,
  site,
} from '../setup.ts'

test.each([
  ['home', 200, 'info'],
  ['home', 500, 'error'],
  ['test-500', 500, 'info'],
  ['health', 200, 'debug'],
  ['health', 503, 'info'],
] as const)('an answer of %s with %d is logged at level %s', (label, statusCode, level) => {
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => lines.push(line) })
  const response = { locals: { label }, statusCode, writableFinished: true }
  const res = Object.assign(new EventEmitter(), response) as unknown as Response
  logRequests(log)({ method: 'GET' } as Request, res, () => {})
  res.emit('close')
  expect(lines.map((line) => JSON.parse(line).level)).toEqual([log.levels.values[level]])
})

describe('of a site', () => {
  setUpSite()

  const getEntry = async (headers: Record<string, string>) => {
    const id = headers['x-request-id']
    return until(() => site.logged.find((entry) => entry.requestId === id && 'page' in entry))
  }

  test.each([
    ['/', 'home', 200],
    ['/services?utm_source=secret', 'services', 200],
    ['/no/such/secret', 'not-found', 404],
    ['/api/secret', 'api', 404],
    ['/services/', 'redirect', 308],
    ['/robots.txt', 'robots', 200],
  ])('%s is logged as %s, with its id and status', async (path, page, status) => {
    const visitor = { 'X-Forwarded-For': '203.0.113.77' }
    const { headers } = await get(path, { Referer: 'https://secret.example/secret', ...visitor })
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    const entry = await getEntry(headers)
    expect(entry).toMatchObject({ page, status, method: 'GET', address: '203.0.113.0/24' })
    expect(JSON.stringify(entry)).not.toContain('secret')
  })

  test('a contact request is logged with its outcome and reference, a refusal with its code', async () => {
    const visitor = createVisitor()
    const trapped = { url: 'https://spam.example', message: 'Another message.' }
    const requests: [entry: object, ask: () => PromiseLike<{ headers: Record<string, string> }>][] =
      [
        [{ outcome: 'accepted' }, () => send({}, visitor)],
        [{ outcome: 'replayed' }, () => send({}, visitor)],
        [{ code: 'limit-reached', status: 429 }, () => send(trapped, visitor)],
        [{ outcome: 'quarantined' }, () => send(trapped)],
        [{ outcome: 'accepted', page: 'contact-form', status: 303 }, () => sendForm()],
        [{ code: 'message-too-short', status: 400 }, () => send({ message: 'short' })],
        [{ code: 'required', page: 'contact-form' }, () => sendForm({ email: '' })],
        [{ code: 'malformed-json' }, () => sendBody('{')],
        [{ code: 'cross-site' }, () => send({}, { Origin: 'https://other.example' })],
        [
          { code: 'method-not-allowed', page: 'api/contact', status: 405 },
          () => request(site.url).put('/api/contact'),
        ],
        [{ page: 'test-error', status: 500, level: 30 }, () => get('/api/test-error')],
        [{ page: 'test-500', status: 500, level: 30 }, () => get('/test-500')],
        [{ code: 'bad-path', page: 'bad-request' }, () => get('/%zz')],
      ]
    const references: unknown[] = []
    for (const [expected, ask] of requests) {
      const entry = await getEntry((await ask()).headers)
      expect(entry).toMatchObject(expected)
      expect('reference' in Object(entry)).toBe('outcome' in expected)
      if (entry?.reference) references.push(entry.reference)
    }
    const kept = (await site.messages()).map(({ reference }) => reference)
    expect(references).toHaveLength(kept.length + 1)
    expect(new Set(references)).toEqual(new Set(kept))
  })

  test('each answer has its own id, whatever the visitor sends', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => get('/', { 'X-Request-Id': 'mine' })))
    const ids = answers.map(({ headers }) => headers['x-request-id'])
    expect(new Set([...ids, 'mine']).size).toBe(4)
  })

  test('a visitor who leaves before the answer is logged with the cut address', async () => {
    const renderer = { build: 'endless', render: () => new Promise<never>(() => {}) }
    const endless = await openSite({ environment: BEHIND_PROXY, parts: { renderer } })
    await hangUp(endless, writeRequest('GET', '/services', { 'X-Forwarded-For': '192.0.2.9' }))
    const entry = await until(() => endless.logged.find(({ left }) => left))
    expect(entry).toMatchObject({ page: 'services', address: '192.0.2.0/24' })
    await endless.stop()
  })
})
