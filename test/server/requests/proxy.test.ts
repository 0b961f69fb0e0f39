import { networkInterfaces } from 'node:os'
import { exchange, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import { getStatuses, MINUTE, send, setUpSite, site } from '../setup.ts'

/** IPv6 may be disabled on this machine. */
const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1')

/** The clients that connect to the site: proxies if the site trusts them, else visitors. */
const PEERS = [
  { peer: 'IPv4', host: '127.0.0.1', via: '127.0.0.1', own: '127.0.0.0/24' },
  { peer: 'IPv6', host: '::1', via: '::1', own: '0:0:0::/48' },
  { peer: 'mapped', host: '::', via: '127.0.0.1', own: '127.0.0.0/24' },
].filter(({ host }) => hasIPv6 || !host.includes(':'))

const V4 = '203.0.113.0/24'
const V6 = '2001:db8:1::/48'

/** X-Forwarded-For, the address logged if one proxy is trusted, and the address logged if loopback is trusted. */
const HEADERS: [sent: string, ofOneHop: string, ofLoopback: string][] = [
  ['203.0.113.7', V4, V4],
  ['198.51.100.1, 203.0.113.7', V4, V4],
  ['10.0.0.1,198.51.100.1,203.0.113.7', V4, V4],
  ['203.0.113.7:4711', V4, V4],
  ['2001:db8:1:2::7', V6, V6],
  ['198.51.100.1, 2001:db8:1:2::7', V6, V6],
  ['[2001:db8:1:2::7]:4711', V6, V6],
  ['::ffff:203.0.113.7', V4, V4],
  ['2001:db8:1:2::7, ::ffff:203.0.113.7', V4, V4],
  ['198.51.100.1, 127.0.0.9', '127.0.0.0/24', '198.51.100.0/24'],
  ['203.0.113.7, ::ffff:127.0.0.9', '127.0.0.0/24', V4],
  ['203.0.113.7, ::1', '0:0:0::/48', V4],
  ['unknown', 'none', 'none'],
  ['203.0.113.7, unknown', 'none', 'none'],
  ['203.0.113.7 198.51.100.1', 'none', 'none'],
]

type Trust = 'none' | '1' | 'loopback' | 'others'
const TRUSTS: Record<Trust, string> = {
  none: '',
  1: '1',
  loopback: '127.0.0.0/8, ::1',
  others: '10.0.0.0/8,2001:db8::/32',
}

describe.each(Object.keys(TRUSTS) as Trust[])('TRUST_PROXY %s', (trust) => {
  describe.each(PEERS)('$peer', ({ host, via, own }) => {
    setUpSite({ host, environment: { TRUST_PROXY: TRUSTS[trust] } })

    const getAddress = async (headers: Record<string, string>) => {
      const answer = await exchange(site, writeRequest('GET', '/robots.txt', headers), via)
      const id = /^X-Request-Id: (.*)$/im.exec(answer)?.[1]
      const entry = await until(() => site.logged.find(({ requestId }) => requestId === id))
      return entry.address ?? 'none'
    }

    test('without the header the visitor is the peer', async () => {
      expect(await getAddress({})).toBe(own)
    })

    test.each(HEADERS)('of %s', async (sent, ofOneHop, ofLoopback) => {
      const expected = { none: own, 1: ofOneHop, loopback: ofLoopback, others: own }[trust]
      const other = '192.0.2.1'
      const others = { 'X-Real-IP': other, Forwarded: `for=${other}`, 'Client-IP': other }
      for (const headers of [{}, others]) {
        expect(await getAddress({ 'X-Forwarded-For': sent, ...headers })).toBe(expected)
      }
    })
  })
})

const MAPPED = ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107']

/** `getHeader(n)` is the X-Forwarded-For of message n. The limit for each visitor is two messages. */
const MESSAGES: [title: string, visitors: 1 | 3, getHeader: (n: number) => string][] = [
  ['another address each', 3, (n) => `203.0.113.${n}`],
  ['a visitor who adds an address in front', 1, (n) => `198.51.100.${n}, 203.0.113.7`],
  ['another port each', 1, (n) => `203.0.113.7:${4000 + n}`],
  ['one address, mapped or not', 1, (n) => MAPPED[n - 1] ?? ''],
  ['other addresses, mapped', 3, (n) => `::ffff:203.0.113.${n}`],
  ['one /56', 1, (n) => `2001:db8:1:2${n}0::${n}`],
  ['another /56 each', 3, (n) => `2001:db8:1:${n}00::7`],
  ['none that is an address', 1, (n) => `unknown${n}`],
]

describe.each(Object.keys(TRUSTS) as Trust[])('under TRUST_PROXY %s', (trust) => {
  setUpSite({ environment: { TRUST_PROXY: TRUSTS[trust] } })

  test.each(MESSAGES)('messages from %s', async (title, visitors, getHeader) => {
    // Two hours later the window of earlier messages has ended.
    site.clock.time += 120 * MINUTE
    const isTrusted = trust === '1' || trust === 'loopback'
    const answers = await getStatuses(3, (index) => {
      const message = `Bonjour, message ${index}: ${title}.`
      return send({ message }, { 'X-Forwarded-For': getHeader(index + 1) })
    })
    expect(answers).toEqual([200, 200, isTrusted && visitors === 3 ? 200 : 429])
  })
})
