import {
  askRaw,
  findLogged,
  get,
  getStatuses,
  MINUTE,
  report,
  send,
  sendForm,
  setUpSite,
  site,
} from '../setup.ts'

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
    expect((await report({}, own)).status).toBe(204)
  })
})

describe('a message, without PUBLIC_URL, where the Host is ours,', () => {
  setUpSite()

  test.each<[headers: Headers, expected: number]>([
    [{ Origin: 'http://a.example:8080', Host: 'a.example:8080' }, 200],
    [{ Origin: 'http://127.0.0.1:1' }, 403],
    [{ Origin: FOREIGN }, 403],
  ])('with %j is %d', async (headers, expected) => {
    await send({}, headers).expect(expected)
  })

  test('of a null origin is foreign, without Host too', async () => {
    const bytes = 'POST /api/contact HTTP/1.0\r\nOrigin: null\r\nContent-Length: 0\r\n\r\n'
    expect((await askRaw(bytes)).status).toBe(403)
  })
})
