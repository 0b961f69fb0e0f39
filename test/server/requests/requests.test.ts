import request from 'supertest'
import { describeError } from '../../../server/log.ts'
import { createBundleRenderer } from '../../../server/pages/bundle-renderer.ts'
import type { Renderer } from '../../../server/pages/renderer.ts'
import { createPost, postMessage } from '../../../tools/harness/client.ts'
import { MAIL_FROM, MAIL_TO } from '../../../tools/harness/mail-check.ts'
import { read } from '../../../tools/harness/project.ts'
import {
  exchange,
  hangUp,
  openSocket,
  until,
  writeRequest,
} from '../../../tools/harness/raw-client.ts'
import { startSmtp } from '../../../tools/harness/smtp.ts'
import { DIST, SHORT_LIMITS } from '../../support/site.ts'
import {
  createVisitor,
  findLogged,
  get,
  getRawStatuses,
  openSite,
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
  ['/no/such/secret', 'not-found', 404],
  ['/%zzsecret', 'bad-request', 400],
  ['/robots.txt', '/robots.txt', 200],
  ['/api/secret', 'none', 404],
  ['/services/?secret', 'none', 308],
])('%s is logged as %s, with its own id, status and cut address', async (path, page, status) => {
  const visitor = { 'X-Forwarded-For': '203.0.113.77', Cookie: 'secret=secret' }
  const sent = { Referer: 'https://secret.example/', 'X-Request-Id': 'secret', ...visitor }
  const answer = await get(path, sent)
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

test('a visitor who leaves before the answer, or in the middle of a body, is logged as left and is no error', async () => {
  const asked = Promise.withResolvers<void>()
  const render: Renderer['render'] = () => {
    asked.resolve()
    return new Promise<never>(() => {})
  }
  await restartSite({ parts: { renderer: { build: 'endless', styleHashes: [], render } } })
  const leaving = await openSocket(site)
  leaving.write(writeRequest('GET', '/services'))
  await asked.promise
  leaving.destroy()
  const type = { 'Content-Type': 'application/json', 'Content-Length': 100 }
  await hangUp(site, writeRequest('POST', '/api/contact', type, '{'))
  const left = await until(() => {
    const entries = site.logged.filter((entry) => entry.left)
    return entries.length === 2 ? entries : undefined
  })
  expect(left.map(({ page }) => page).sort()).toEqual(['/api/contact', 'services'])
  for (const entry of left) expect(entry).toMatchObject({ level: 30 })
})

test('neither a changed message nor a thrown value that is not an error leaks', () => {
  const CANARY = 'Kanarienvogel'
  const error = new Error(`${CANARY}\n    at ${CANARY}`)
  error.message = 'another'
  error.name = `${CANARY} of mine`
  for (const thrown of [error, undefined, CANARY, { message: CANARY }]) {
    expect(JSON.stringify(describeError(thrown))).not.toContain(CANARY)
  }
  expect(describeError(error)).toMatchObject({ type: 'Error', frames: expect.any(Array) })
})

describe('while mail, pages, the store and requests fail', () => {
  const PERSON = {
    firstName: 'Zqxfirst',
    lastName: 'Zqxlast',
    email: 'zqxmail@zqxhost.ca',
    message: 'Zqxmessage avec des détails.',
    formStartTime: '0',
  }

  test('nothing that a visitor wrote reaches the log or the metrics', async () => {
    const smtp = await startSmtp({ chooseError: () => '451' })
    const real = await createBundleRenderer(DIST)
    const renderer: typeof real = {
      ...real,
      async render(state) {
        const { values } = state.contact ?? {}
        if (values) throw Object.assign(new TypeError(JSON.stringify(values)), { body: values })
        return real.render(state)
      },
    }
    const SMTP_URL = `smtp://127.0.0.1:${smtp.port}`
    const environment = { SMTP_URL, MAIL_FROM, MAIL_TO }
    await restartSite({ environment, counted: true, realTime: true, parts: { renderer } })

    await send(PERSON).expect(200)
    await sendForm({ ...PERSON, email: 'zqx' }).expect(500)
    const json = JSON.stringify(PERSON)
    await sendBody(json.slice(0, -1)).expect(400)
    await sendBody(`[${json}]`).expect(400)
    await sendBody(json, { 'Content-Type': 'zqx' }).expect(415)
    await sendBody(json, { Origin: 'https://zqx.example' }).expect(403)
    const headers = { Cookie: 'rg-language=zqx', 'User-Agent': 'zqx', Referer: 'https://a.ca/zqx' }
    for (const path of ['/zqx', '/%zzzqx', '/contact?sent=zqx', '/assets/zqx.js', '/api/zqx']) {
      await get(path, headers)
    }
    await exchange(site, 'GET /zqx zqx HTTP/1.1\r\nHost: zqx\r\n\r\n')
    await site.store.close()
    await send(PERSON).expect(503)
    await until(() => smtp.connections > 0)
    const log = JSON.stringify(site.logged)
    expect(log).toContain('TypeError')
    // Neither the log nor the metrics may show the last part of an IP address.
    const shown = log + (await site.readMetrics())
    expect(shown).not.toMatch(/zqx|198\.1[89]\.\d+\.(?!0\/24)\d/i)
    await smtp.stop()
  })
})

describe('a connection', () => {
  const formStartTime = '0'
  const POST = { 'Content-Type': 'application/json' }
  setUpSite({ limits: SHORT_LIMITS, environment: { TRUST_PROXY: '' } })

  test.each([
    ['a head that stops', 'GET / HTTP/1.1\r\nHost: localhost\r\nX'],
    [
      'a body that stops',
      writeRequest('POST', '/api/contact', { ...POST, 'Content-Length': 9 }, '{'),
    ],
  ])('with %s is cut, and the site goes on', async (_name, request) => {
    expect(await getRawStatuses(request)).toEqual([408])
    expect(await getRawStatuses(writeRequest('GET', '/'))).toEqual([200])
  })

  test.each(['hello\r\n\r\n', 'GET /zqx zqx HTTP/1.1\r\n\r\n'])(
    'without a request gets 400: %j',
    async (request) => {
      expect(await getRawStatuses(request)).toEqual([400])
    },
  )

  // A socket that was reset has no address: its sender would escape the limit.
  test('that is reset after its message counts as any other', async () => {
    for (let index = 0; index < 6; index += 1) {
      const message = `Message numéro ${index}.`
      const { path, headers, body } = createPost({ formStartTime, message })
      const socket = await openSocket(site)
      socket.on('error', () => {})
      await new Promise((resolve) => {
        socket.once('close', resolve)
        socket.write(writeRequest('POST', path, headers, body), () => socket.resetAndDestroy())
      })
    }
    const { status } = await postMessage(site.url, {
      formStartTime,
      message: 'Le dernier message.',
    })
    const kept = await site.messages()
    expect(kept.length).toBeLessThanOrEqual(2)
    expect(status).toBe(kept.some(({ message }) => message === 'Le dernier message.') ? 200 : 429)
  })

  test('stays open longer than the proxy reuses it', async () => {
    const [, proxySeconds] = /^\s*keepalive (\d+)s$/m.exec(read('Caddyfile')) ?? []
    const usual = await openSite()
    const answer = await fetch(`${usual.url}/livez`)
    const [, siteSeconds] = /timeout=(\d+)/.exec(answer.headers.get('keep-alive') ?? '') ?? []
    await usual.stop()
    expect(Number(siteSeconds)).toBeGreaterThan(Number(proxySeconds))
  })
})
