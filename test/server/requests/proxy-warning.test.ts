import { type Site, startSite } from '../../support/site.ts'

let site: Site
afterEach(() => site.stop())

const ask = (address?: string, path = '/livez') =>
  fetch(site.url + path, { headers: address ? { 'X-Forwarded-For': address } : {} })
const warnings = () => site.logged.filter(({ msg }) => String(msg).includes('private address'))

test.each(['172.18.0.1', '10.0.0.7', '192.168.1.1', 'fd00::1', '127.0.0.2', '::ffff:172.18.0.1'])(
  'a trusted proxy that forwards %s causes one warning',
  async (address) => {
    site = await startSite({ environment: { TRUST_PROXY: '1' } })
    await ask('203.0.113.7')
    await ask('2001:db8::1')
    await ask('unknown')
    await ask()
    expect(warnings()).toEqual([])
    await ask(address)
    await ask(address, '/')
    expect(warnings()).toHaveLength(1)
    expect(warnings()).toEqual([expect.objectContaining({ level: 40 })])
  },
)

test.each([
  ['no proxy is trusted', ''],
  ['another one is trusted', '10.0.0.0/8'],
])('without a warning where %s', async (_, TRUST_PROXY) => {
  site = await startSite({ environment: { TRUST_PROXY } })
  await ask('172.18.0.1')
  expect(warnings()).toEqual([])
})
