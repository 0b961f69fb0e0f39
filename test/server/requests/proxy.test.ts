import { networkInterfaces } from 'node:os'
import { post, VALID } from '../../../tools/harness/contact.ts'
import { exchange, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import { type Site, startSite } from '../../support/site.ts'

/** IPv6 may be disabled on this machine. */
const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1')

/** The peer that connects: a proxy, or a visitor. */
const PEERS = [
  { peer: 'IPv4', host: '127.0.0.1', via: '127.0.0.1', own: '127.0.0.0/24' },
  { peer: 'IPv6', host: '::1', via: '::1', own: '0:0:0::/48' },
  { peer: 'mapped', host: '::', via: '127.0.0.1', own: '127.0.0.0/24' },
].filter(({ host }) => hasIPv6 || !host.includes(':'))

const V4 = '203.0.113.0/24'
const V6 = '2001:db8:1::/48'

/** X-Forwarded-For, and the visitor by CONTRACT: trusted proxies are counted from the right. */
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

function expectedOf(trust: Trust, own: string, row: (typeof HEADERS)[number]): string {
  if (trust === '1') return row[1]
  return trust === 'loopback' ? row[2] : own
}

describe.each(Object.keys(TRUSTS) as Trust[])('TRUST_PROXY %s', (trust) => {
  describe.each(PEERS)('$peer', ({ host, via, own }) => {
    let site: Site
    beforeAll(async () => {
      site = await startSite({ host, environment: { TRUST_PROXY: TRUSTS[trust] } })
    })
    afterAll(() => site.stop())

    const addressOf = async (headers: Record<string, string>) => {
      const answer = await exchange(site, writeRequest('GET', '/livez', headers), via)
      const id = /^X-Request-Id: (.*)$/im.exec(answer)?.[1]
      const find = () => site.logged.find(({ requestId }) => requestId === id)
      await until(() => find() !== undefined)
      return find()?.address ?? 'none'
    }

    test('without the header the visitor is the peer', async () => {
      expect(await addressOf({})).toBe(own)
    })

    test.each(HEADERS)('of %s', async (...row) => {
      const expected = expectedOf(trust, own, row)
      expect(await addressOf({ 'X-Forwarded-For': row[0] })).toBe(expected)
      const others = {
        'X-Real-IP': '192.0.2.1',
        Forwarded: 'for=192.0.2.1',
        'Client-IP': '192.0.2.1',
      }
      expect(await addressOf({ 'X-Forwarded-For': row[0], ...others })).toBe(expected)
    })
  })
})

const ONE = [200, 200, 429]
const MANY = [200, 200, 200]
const MAPPED = ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107']

/** Three messages, each with a header of its own; the third gets 429 when they come from one visitor. */
const MESSAGES: [
  title: string,
  headerOf: (n: number) => string,
  statuses: Record<Trust, number[]>,
][] = [
  [
    'another address each',
    (n) => `203.0.113.${n}`,
    { none: ONE, 1: MANY, loopback: MANY, others: ONE },
  ],
  [
    'a visitor who adds an address in front',
    (n) => `198.51.100.${n}, 203.0.113.7`,
    { none: ONE, 1: ONE, loopback: ONE, others: ONE },
  ],
  [
    'another port each',
    (n) => `203.0.113.7:${4000 + n}`,
    { none: ONE, 1: ONE, loopback: ONE, others: ONE },
  ],
  [
    'one address, mapped or not',
    (n) => MAPPED[n - 1] ?? '',
    { none: ONE, 1: ONE, loopback: ONE, others: ONE },
  ],
  [
    'other addresses, mapped',
    (n) => `::ffff:203.0.113.${n}`,
    { none: ONE, 1: MANY, loopback: MANY, others: ONE },
  ],
  ['one /56', (n) => `2001:db8:1:2${n}0::${n}`, { none: ONE, 1: ONE, loopback: ONE, others: ONE }],
  [
    'another /56 each',
    (n) => `2001:db8:1:${n}00::7`,
    { none: ONE, 1: MANY, loopback: MANY, others: ONE },
  ],
  [
    'none that is an address',
    (n) => `unknown${n}`,
    { none: ONE, 1: ONE, loopback: ONE, others: ONE },
  ],
]

describe.each(Object.keys(TRUSTS) as Trust[])('under TRUST_PROXY %s', (trust) => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ environment: { TRUST_PROXY: TRUSTS[trust] } })
  })
  afterAll(() => site.stop())

  test.each(MESSAGES)('messages from %s', async (title, headerOf, statuses) => {
    // The window of earlier messages is over.
    site.clock.time += 2 * 60 * 60_000
    const answers: number[] = []
    for (const n of [1, 2, 3]) {
      const body = { ...VALID, message: `Bonjour, message ${n}: ${title}.` }
      answers.push((await post(site, body, { 'X-Forwarded-For': headerOf(n) })).status)
    }
    expect(answers).toEqual(statuses[trust])
  })
})
