import request from 'supertest'
import { createBundleRenderer } from '../../../server/pages/bundle-renderer.ts'
import { MAIL_FROM, MAIL_TO } from '../../../tools/harness/mail-check.ts'
import { read } from '../../../tools/harness/project.ts'
import { exchange, openSocket, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import { startSmtp } from '../../../tools/harness/smtp.ts'
import { DIST, SHORT_LIMITS } from '../../support/site.ts'
import {
  askRaw,
  createVisitor,
  findLogged,
  get,
  getRawStatuses,
  getStatuses,
  MINUTE,
  openSite,
  report,
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
    [{ outcome: 'quarantined' }, () => send(trapped)],
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

describe('while mail, pages, the store and requests fail', () => {
  const PERSON = {
    firstName: 'Zqxfirst',
    lastName: 'Zqxlast',
    email: 'zqxmail@zqxhost.ca',
    message: 'Zqxmessage avec des détails.',
    formStartTime: '0',
  }

  test('nothing that a visitor wrote reaches the log or the metrics', async () => {
    const smtp = await startSmtp({ error: '451' })
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

test('an X-Forwarded-For that nobody vouches for is warned of once', async () => {
  const warnings = () => site.logged.filter(({ msg }) => /TRUST_PROXY is not set/.test(String(msg)))
  await getStatuses(2, () => get('/livez', { 'X-Forwarded-For': '203.0.113.7' }))
  expect(warnings()).toEqual([])
  await restartSite({ environment: { TRUST_PROXY: '' } })
  await get('/livez')
  expect(warnings()).toEqual([])
  await getStatuses(2, () => get('/livez', { 'X-Forwarded-For': '203.0.113.7' }))
  expect(warnings()).toHaveLength(1)
})

describe('a connection', () => {
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

  test('whose client reads nothing is cut, and the site goes on', async () => {
    const socket = await openSocket(site)
    const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))
    const page = writeRequest('GET', '/privacy-policy', { Connection: undefined })
    socket.pause().write(page.repeat(500))
    await until(() => site.logged.some(({ left, page }) => left && page === 'privacy-en'))
    socket.destroy()
    await closed
    expect(await getRawStatuses(writeRequest('GET', '/'))).toEqual([200])
  })

  test.each(['hello\r\n\r\n', 'GET /zqx zqx HTTP/1.1\r\n\r\n'])(
    'without a request gets 400: %j',
    async (request) => {
      expect(await getRawStatuses(request)).toEqual([400])
    },
  )

  test('stays open for the time that docs/settings.md names to the owner of a proxy', async () => {
    const [, documented] = /connections for less than (\d+) s/.exec(read('docs/settings.md')) ?? []
    const usual = await openSite()
    const answer = await fetch(`${usual.url}/livez`)
    await usual.stop()
    expect(answer.headers.get('keep-alive')).toBe(`timeout=${documented}`)
  })
})

const OWN = '127.0.0.0/24'
const V4 = '203.0.113.0/24'
const V6 = '2001:db8:1::/48'

/** X-Forwarded-For, the address logged if one proxy is trusted, and the address logged if loopback is trusted. */
const HEADERS: [sent: string, ofOneHop: string, ofLoopback: string][] = [
  ['203.0.113.7', V4, V4],
  ['10.0.0.1,198.51.100.1,203.0.113.7', V4, V4],
  ['203.0.113.7:4711', V4, V4],
  ['[2001:db8:1:2::7]:4711', V6, V6],
  ['2001:db8:1:2::7, ::ffff:203.0.113.7', V4, V4],
  ['64:ff9b::203.0.113.7', V4, V4],
  ['198.51.100.1, 127.0.0.9', OWN, '198.51.100.0/24'],
]

describe.each([
  ['10.0.0.0/8, 2001:db8::/32', () => OWN],
  ['1', (ofOneHop: string) => ofOneHop],
  ['127.0.0.0/8, ::1', (_: string, ofLoopback: string) => ofLoopback],
])('with TRUST_PROXY "%s", the address in the log', (TRUST_PROXY, choose) => {
  setUpSite({ environment: { TRUST_PROXY } })

  test.each(HEADERS)('of %s', async (sent, ofOneHop, ofLoopback) => {
    const other = '192.0.2.1'
    const others = { 'X-Real-IP': other, Forwarded: `for=${other}`, 'Client-IP': other }
    const answer = await get('/robots.txt', { 'X-Forwarded-For': sent, ...others })
    expect(findLogged(answer)?.address).toBe(choose(ofOneHop, ofLoopback))
  })
})

const MAPPED = ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107']
/** RFC 6052: the last 32 bits are the IPv4 address. */
const NAT64 = ['64:ff9b::203.0.113.7', '64:ff9b::cb00:7107', '64:FF9B:0:0:0:0:203.0.113.7']
const UNKNOWN = ['unknown', '203.0.113.7 198.51.100.1', '_hidden']

/** `getHeader(n)` is the X-Forwarded-For of message n. The limit for each visitor is two messages. */
const MESSAGES: [title: string, third: number, getHeader: (n: number) => string | undefined][] = [
  ['another address each', 200, (n) => `203.0.113.${n}`],
  ['a visitor who adds an address in front', 429, (n) => `198.51.100.${n}, 203.0.113.7`],
  ['another port each', 429, (n) => `203.0.113.7:${4000 + n}`],
  ['one address, mapped or not', 429, (n) => MAPPED[n - 1]],
  ['one address behind NAT64', 429, (n) => NAT64[n - 1]],
  ['other addresses behind NAT64', 200, (n) => `64:ff9b::203.0.113.${n}`],
  ['other addresses behind a local NAT64', 200, (n) => `64:ff9b:1::203.0.113.${n}`],
  ['one /56', 429, (n) => `2001:db8:1:2${n}0::${n}`],
  ['another /56 each', 200, (n) => `2001:db8:1:${n}00::7`],
  ['visitors whose address the proxy does not send', 429, (n) => UNKNOWN[n - 1]],
]

describe('three messages behind one proxy', () => {
  setUpSite()

  test.each(MESSAGES)('from %s end with %d', async (title, third, getHeader) => {
    // Two hours later the window of earlier messages has ended.
    site.clock.time += 120 * MINUTE
    const answers = await getStatuses(3, (index) => {
      const message = `Bonjour, message ${index}: ${title}.`
      return send({ message }, { 'X-Forwarded-For': getHeader(index + 1) })
    })
    expect(answers).toEqual([200, 200, third])
  })
})

const OURS = 'https://www.exemple.ca'
const SECOND = 'https://exemple.ca'
const FOREIGN = 'https://evil.example'

type Headers = Record<string, string>

/** The origins that may post with each value of Sec-Fetch-Site. */
const ORIGINS = [OURS, SECOND, FOREIGN, 'null', undefined]
const PASSES: [fetchSite: string | undefined, passing: unknown[]][] = [
  ['cross-site', []],
  ['same-site', [OURS, SECOND]],
  ['same-origin', ORIGINS],
  ['none', ORIGINS],
  [undefined, [OURS, SECOND, undefined]],
  ['unknown', []],
]

describe('a message, with PUBLIC_URL,', () => {
  setUpSite({ environment: { PUBLIC_URL: `${OURS},${SECOND}` } })

  test.each(
    PASSES.flatMap(([fetchSite, passing]) =>
      ORIGINS.map((origin) => [fetchSite, origin, passing.includes(origin) ? 200 : 403] as const),
    ),
  )('of Sec-Fetch-Site %s and origin %s is %d', async (fetchSite, origin, expected) => {
    const headers: Headers = {}
    if (fetchSite) headers['Sec-Fetch-Site'] = fetchSite
    if (origin) headers.Origin = origin
    const answer = await send({}, headers).expect(expected)
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.each([
    'https://blog.exemple.ca',
    'http://www.exemple.ca',
    `${OURS}.evil.example`,
    'https://exemple.ca:8443',
  ])('of %s, which looks like ours, is 403', async (Origin) => {
    await send({}, { Origin }).expect(403)
    await send({}, { Origin, 'Sec-Fetch-Site': 'same-site' }).expect(403)
  })

  test('follows the same rule as forms and reports, and none of a foreign origin is kept', async () => {
    const { length } = await site.messages()
    for (const ask of [sendForm, report, send])
      expect((await ask({}, { Origin: FOREIGN })).status).toBe(403)
    expect(await site.messages()).toHaveLength(length)
    const own = { 'Sec-Fetch-Site': 'same-origin' }
    expect((await sendForm({}, own)).status).toBe(303)
    expect((await report(undefined, own)).status).toBe(204)
  })
})

describe('a message, without PUBLIC_URL,', () => {
  setUpSite()

  test('comes from the host that the request names, by the form too', async () => {
    const Origin = 'http://192.168.1.5:8080'
    for (const ask of [send, sendForm]) {
      expect((await ask({}, { Origin, Host: '192.168.1.5:8080' })).status).toBeLessThan(400)
      expect((await ask({}, { Origin, Host: '192.168.1.5' })).status).toBe(403)
    }
    await send({}, { Origin: FOREIGN }).expect(403)
  })

  test('of a null origin is foreign, without Host too', async () => {
    const bytes = 'POST /api/contact HTTP/1.0\r\nOrigin: null\r\nContent-Length: 0\r\n\r\n'
    expect((await askRaw(bytes)).status).toBe(403)
  })
})
