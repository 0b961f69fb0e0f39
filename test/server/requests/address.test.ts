import { networkInterfaces } from 'node:os'
import { exchange, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import {
  get,
  getStatuses,
  MINUTE,
  restartSite,
  send,
  setUpSite,
  setUpSitePerTest,
  site,
} from '../setup.ts'

/** IPv6 may be disabled on this machine. */
const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1')
/** On `::`, an IPv4 client has an address in IPv6 form, such as ::ffff:127.0.0.1. */
const host = hasIPv6 ? '::' : '127.0.0.1'

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
  ['198.51.100.1, 127.0.0.9', OWN, '198.51.100.0/24'],
  ['203.0.113.7, ::ffff:127.0.0.9', OWN, V4],
  ['203.0.113.7, ::1', '::/48', V4],
  ['203.0.113.7, unknown', 'none', 'none'],
  ['203.0.113.7 198.51.100.1', 'none', 'none'],
]

describe.each([
  ['', () => OWN],
  ['10.0.0.0/8, 2001:db8::/32', () => OWN],
  ['1', (ofOneHop: string) => ofOneHop],
  ['127.0.0.0/8, ::1', (_: string, ofLoopback: string) => ofLoopback],
])('with TRUST_PROXY "%s", the address in the log', (TRUST_PROXY, choose) => {
  setUpSite({ host, environment: { TRUST_PROXY } })

  const getAddress = async (headers: Record<string, string>, via = '127.0.0.1') => {
    const answer = await exchange(site, writeRequest('GET', '/robots.txt', headers), via)
    const id = /^X-Request-Id: (.*)$/im.exec(answer)?.[1]
    const entry = await until(() => site.logged.find(({ requestId }) => requestId === id))
    return entry.address ?? 'none'
  }

  test.each(HEADERS)('of %s', async (sent, ofOneHop, ofLoopback) => {
    const other = '192.0.2.1'
    const others = { 'X-Real-IP': other, Forwarded: `for=${other}`, 'Client-IP': other }
    const address = await getAddress({ 'X-Forwarded-For': sent, ...others })
    expect(address).toBe(choose(ofOneHop, ofLoopback))
  })

  test('without the header is the client’s', async () => {
    expect(await getAddress({})).toBe(OWN)
    if (hasIPv6) expect(await getAddress({}, '::1')).toBe('::/48')
  })
})

const MAPPED = ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107']

/** `getHeader(n)` is the X-Forwarded-For of message n. The limit for each visitor is two messages. */
const MESSAGES: [title: string, third: number, getHeader: (n: number) => string][] = [
  ['another address each', 200, (n) => `203.0.113.${n}`],
  ['a visitor who adds an address in front', 429, (n) => `198.51.100.${n}, 203.0.113.7`],
  ['another port each', 429, (n) => `203.0.113.7:${4000 + n}`],
  ['one address, mapped or not', 429, (n) => MAPPED[n - 1] ?? ''],
  ['other addresses, mapped', 200, (n) => `::ffff:203.0.113.${n}`],
  ['one /56', 429, (n) => `2001:db8:1:2${n}0::${n}`],
  ['another /56 each', 200, (n) => `2001:db8:1:${n}00::7`],
  ['none that is an address', 429, (n) => `unknown${n}`],
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
})

describe('the warning of private addresses', () => {
  setUpSitePerTest()

  const ask = (address?: string, path = '/robots.txt') =>
    get(path, address ? { 'X-Forwarded-For': address } : {})
  const warnings = () => site.logged.filter(({ msg }) => String(msg).includes('private address'))

  test('a trusted proxy that forwards one causes one warning', async () => {
    for (const each of ['203.0.113.7', '2001:db8::1', 'unknown', undefined]) await ask(each)
    expect(warnings()).toEqual([])
    await ask('172.18.0.1')
    await ask('127.0.0.1', '/')
    expect(warnings()).toEqual([expect.objectContaining({ level: 40 })])
  })

  test('without a warning where another proxy is trusted', async () => {
    await restartSite({ environment: { TRUST_PROXY: '10.0.0.0/8' } })
    await ask('172.18.0.1')
    expect(warnings()).toEqual([])
  })
})
