import request from 'supertest'
import type { Renderer } from '../../../server/pages/renderer.ts'
import { hangUp, openSocket, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import {
  createVisitor,
  findLogged,
  get,
  restartSite,
  send,
  sendBody,
  sendForm,
  setUpSite,
  site,
} from '../setup.ts'

setUpSite()

type Answer = PromiseLike<{ headers: Record<string, string> }>

test.each([
  ['/', 'home', 200],
  ['/services?utm_source=secret', 'services', 200],
  ['/contact', 'contact', 200],
  ['/no/such/secret', 'not-found', 404],
  ['/%zzsecret', 'bad-request', 400],
  ['/robots.txt', '/robots.txt', 200],
  ['/api/secret', 'none', 404],
  ['/services/?secret', 'none', 308],
])('%s is logged as %s, with its id, status and cut address', async (path, page, status) => {
  const visitor = { 'X-Forwarded-For': '203.0.113.77', Cookie: 'secret=secret' }
  const answer = await get(path, { Referer: 'https://secret.example/secret', ...visitor })
  expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  const entry = findLogged(answer)
  expect(entry).toMatchObject({ page, status, method: 'GET', address: '203.0.113.0/24', level: 30 })
  expect(JSON.stringify(entry)).not.toMatch(/secret|203\.0\.113\.77/)
})

test('a contact request is logged with its outcome and reference, a refusal with its code', async () => {
  const visitor = createVisitor()
  const trapped = { url: 'https://spam.example', message: 'Another message.' }
  const requests: [entry: object, ask: () => Answer][] = [
    [{ outcome: 'accepted', page: '/api/contact' }, () => send({}, visitor)],
    [{ outcome: 'repeated' }, () => send({}, visitor)],
    [{ outcome: 'quarantined' }, () => send(trapped, visitor)],
    [{ code: 'limit-reached', status: 429 }, () => send({ lastName: 'x' }, visitor)],
    [{ outcome: 'accepted', page: '/contact', status: 303 }, () => sendForm()],
    [{ code: 'message-too-short', status: 400 }, () => send({ message: 'short' })],
    [{ code: 'required', page: 'contact' }, () => sendForm({ email: '' })],
    [{ code: 'malformed-json' }, () => sendBody('{')],
    [{ code: 'cross-site' }, () => send({}, { Origin: 'https://other.example' })],
    [{ code: 'method-not-allowed', status: 405 }, () => request(site.url).put('/api/contact')],
    // Any visitor can ask for these, so they are no errors.
    [{ status: 500, level: 30 }, () => get('/api/test-error')],
    [{ page: 'test-500', status: 500, level: 30 }, () => get('/test-500')],
  ]
  const references = new Set<unknown>()
  for (const [expected, ask] of requests) {
    const entry = findLogged(await ask())
    expect(entry).toMatchObject(expected)
    expect('reference' in Object(entry)).toBe('outcome' in expected)
    if (entry?.reference) references.add(entry.reference)
  }
  expect(references).toEqual(new Set((await site.messages()).map(({ reference }) => reference)))
})

test('each answer has its own id, whatever the visitor sends', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => get('/', { 'X-Request-Id': 'mine' })))
  const ids = answers.map(({ headers }) => headers['x-request-id'])
  expect(new Set([...ids, 'mine']).size).toBe(4)
})

test('a visitor who leaves before the answer, or in the middle of a body, is logged as left and is no error', async () => {
  const asked = Promise.withResolvers<void>()
  const render: Renderer['render'] = () => {
    asked.resolve()
    return new Promise<never>(() => {})
  }
  await restartSite({ parts: { renderer: { build: 'endless', styleHashes: [], render } } })
  const address = { 'X-Forwarded-For': '192.0.2.9' }
  const leaving = await openSocket(site)
  leaving.write(writeRequest('GET', '/services', address))
  await asked.promise
  leaving.destroy()
  const type = { 'Content-Type': 'application/json', 'Content-Length': 100, ...address }
  await hangUp(site, writeRequest('POST', '/api/contact', type, '{'))
  const left = await until(() => {
    const entries = site.logged.filter((entry) => entry.left)
    return entries.length === 2 ? entries : undefined
  })
  const pages = left.map(({ page }) => page).sort()
  expect(pages).toEqual(['/api/contact', 'services'])
  for (const entry of left) expect(entry).toMatchObject({ level: 30, address: '192.0.2.0/24' })
})
