import { findLogged, get, getStatuses, MINUTE, send, setUpSite, site } from '../setup.ts'

const OWN = '127.0.0.0/24'
const V4 = '203.0.113.0/24'
const V6 = '2001:db8:1::/48'

/** X-Forwarded-For, the address logged if one proxy is trusted, and the address logged if loopback is trusted. */
const HEADERS: [sent: string, ofOneHop: string, ofLoopback: string][] = [
  ['203.0.113.7', V4, V4],
  ['10.0.0.1,198.51.100.1,203.0.113.7', V4, V4],
  ['203.0.113.7:4711', V4, V4],
  ['198.51.100.1, 2001:db8:1:2::7', V6, V6],
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

  const getAddress = async (headers: Record<string, string>) =>
    findLogged(await get('/robots.txt', headers))?.address

  test.each(HEADERS)('of %s', async (sent, ofOneHop, ofLoopback) => {
    const other = '192.0.2.1'
    const others = { 'X-Real-IP': other, Forwarded: `for=${other}`, 'Client-IP': other }
    const address = await getAddress({ 'X-Forwarded-For': sent, ...others })
    expect(address).toBe(choose(ofOneHop, ofLoopback))
  })

  test('without the header is the client’s', async () => {
    expect(await getAddress({})).toBe(OWN)
  })
})

const MAPPED = ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107']
/** RFC 6052: the last 32 bits are the IPv4 address. */
const NAT64 = ['64:ff9b::203.0.113.7', '64:ff9b::cb00:7107', '64:FF9B:0:0:0:0:203.0.113.7']

/** `getHeader(n)` is the X-Forwarded-For of message n. The limit for each visitor is two messages. */
const MESSAGES: [title: string, third: number, getHeader: (n: number) => string][] = [
  ['another address each', 200, (n) => `203.0.113.${n}`],
  ['a visitor who adds an address in front', 429, (n) => `198.51.100.${n}, 203.0.113.7`],
  ['another port each', 429, (n) => `203.0.113.7:${4000 + n}`],
  ['one address, mapped or not', 429, (n) => MAPPED[n - 1] ?? ''],
  ['other addresses, mapped', 200, (n) => `::ffff:203.0.113.${n}`],
  ['one address behind NAT64', 429, (n) => NAT64[n - 1] ?? ''],
  ['other addresses behind NAT64', 200, (n) => `64:ff9b::203.0.113.${n}`],
  ['one /56', 429, (n) => `2001:db8:1:2${n}0::${n}`],
  ['another /56 each', 200, (n) => `2001:db8:1:${n}00::7`],
]

describe('messages behind one proxy', () => {
  setUpSite()

  test.each(MESSAGES)('from %s', async (title, third, getHeader) => {
    // Two hours later the window of earlier messages has ended.
    site.clock.time += 120 * MINUTE
    const answers = await getStatuses(3, (index) => {
      const message = `Bonjour, message ${index}: ${title}.`
      return send({ message }, { 'X-Forwarded-For': getHeader(index + 1) })
    })
    expect(answers).toEqual([200, 200, third])
  })

  test('visitors whose address the proxy does not send share one limit', async () => {
    site.clock.time += 120 * MINUTE
    const unknown = ['unknown', '203.0.113.7 198.51.100.1', '_hidden']
    const answers = await getStatuses(3, (index) =>
      send({ message: `Bonjour ${unknown[index]}` }, { 'X-Forwarded-For': unknown[index] }),
    )
    expect(answers).toEqual([200, 200, 429])
  })
})
