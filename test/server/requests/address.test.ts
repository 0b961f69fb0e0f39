import { cutAddress } from '../../../server/requests/address.ts'
import { get, restartSite, setUpSitePerTest, site } from '../setup.ts'

describe('an address in the log', () => {
  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['::FFFF:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8:1:2::6', '2001:db8:1::/48'],
    ['2001:db8::6', '2001:db8:0::/48'],
    ['2001::1:2:3:4', '2001:0:0::/48'],
    ['fe80::1', 'fe80:0:0::/48'],
    ['::1', '0:0:0::/48'],
    [undefined, undefined],
    ['', undefined],
    ['203.0.113.77, evil', undefined],
    ['zoe@exemple.ca', undefined],
    ['203.0.113.7:4000', undefined],
  ])('%s is cut to %s', (address, cut) => {
    expect(cutAddress(address)).toBe(cut)
  })
})

describe('the warning of private addresses', () => {
  setUpSitePerTest()

  const ask = (address?: string, path = '/livez') =>
    get(path, address ? { 'X-Forwarded-For': address } : {})
  const warnings = () => site.logged.filter(({ msg }) => String(msg).includes('private address'))

  test.each(['172.18.0.1', '127.0.0.1', '::ffff:172.18.0.1'])(
    'a trusted proxy that forwards %s causes one warning',
    async (address) => {
      for (const each of ['203.0.113.7', '2001:db8::1', 'unknown', undefined]) await ask(each)
      expect(warnings()).toEqual([])
      await ask(address)
      await ask(address, '/')
      expect(warnings()).toEqual([expect.objectContaining({ level: 40 })])
    },
  )

  test.each([
    ['no proxy is trusted', ''],
    ['another one is trusted', '10.0.0.0/8'],
  ])('without a warning where %s', async (_, TRUST_PROXY) => {
    await restartSite({ environment: { TRUST_PROXY } })
    await ask('172.18.0.1')
    expect(warnings()).toEqual([])
  })
})
