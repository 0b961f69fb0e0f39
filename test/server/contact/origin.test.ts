import { exchange } from '../../../tools/harness/raw-client.ts'
import { send, setUpSite, site } from './setup.ts'

// test/server/requests/cross-site.test.ts has the whole table; these are origins that look like ours.

const OURS = 'https://www.exemple.ca'
const SECOND = 'https://exemple.ca'

describe('with PUBLIC_URL', () => {
  setUpSite({ environment: { TRUST_PROXY: '1', PUBLIC_URL: `${OURS},${SECOND}` } })

  test.each([
    [OURS, 200],
    [SECOND, 200],
    ['https://blog.exemple.ca', 403],
    ['http://www.exemple.ca', 403],
    [`${OURS}.evil.example`, 403],
    ['https://exemple.ca:8443', 403],
  ])('%s is %d', async (Origin, expected) => {
    for (const headers of [{ Origin }, { Origin, 'Sec-Fetch-Site': 'same-site' }]) {
      expect((await send({}, headers)).status).toBe(expected)
    }
  })
})

describe('without PUBLIC_URL', () => {
  setUpSite()

  test('an origin of another port is foreign', async () => {
    expect((await send({}, { Origin: 'http://127.0.0.1:1' })).status).toBe(403)
  })

  test('an origin equal to any Host is ours', async () => {
    const headers = { Host: 'site.example:8080', Origin: 'http://site.example:8080' }
    expect((await send({}, headers)).status).toBe(200)
  })

  test('a null origin is foreign also to a request without Host', async () => {
    const answer = await exchange(
      site,
      'POST /api/contact HTTP/1.0\r\nOrigin: null\r\nContent-Length: 0\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
  })
})
