import { exchange } from '../../../tools/harness/raw-client.ts'
import { send, sendForm, setUpSite, site } from './setup.ts'

const OURS = 'https://www.exemple.ca'
const SECOND = 'https://exemple.ca'
const FOREIGN = 'https://evil.example'

type Row = [fetchSite: string | undefined, origin: string | undefined, status: number]

const rows: Row[] = [
  ['cross-site', undefined, 403],
  ['cross-site', OURS, 403],
  ['cross-site', FOREIGN, 403],
  ['same-site', SECOND, 200],
  ['same-site', OURS, 200],
  ['same-site', 'https://blog.exemple.ca', 403],
  ['same-site', undefined, 403],
  ['same-origin', OURS, 200],
  ['same-origin', undefined, 200],
  ['none', undefined, 200],
  [undefined, undefined, 200],
  [undefined, OURS, 200],
  [undefined, SECOND, 200],
  [undefined, FOREIGN, 403],
  [undefined, 'null', 403],
  [undefined, 'http://www.exemple.ca', 403],
  [undefined, `${OURS}.evil.example`, 403],
  [undefined, 'https://exemple.ca:8443', 403],
  ['bogus', OURS, 403],
]

describe('with PUBLIC_URL', () => {
  setUpSite({ environment: { TRUST_PROXY: '1', PUBLIC_URL: `${OURS},${SECOND}` } })

  test.each(rows)('Sec-Fetch-Site %s from %s is %d', async (fetchSite, origin, expected) => {
    const headers = {
      ...(fetchSite && { 'Sec-Fetch-Site': fetchSite }),
      ...(origin && { Origin: origin }),
    }
    const { status, body } = await send({}, headers)
    expect(status).toBe(expected)
    if (status === 403) expect(body.code).toBe('cross-site')
    expect((await sendForm({}, headers)).status).toBe(expected === 200 ? 303 : 403)
  })
})

describe('without PUBLIC_URL', () => {
  setUpSite()

  test.each([
    ['equal to the Host', () => site.url, 200],
    ['of another port', () => 'http://127.0.0.1:1', 403],
    ['foreign', () => FOREIGN, 403],
    ['null', () => 'null', 403],
  ])('an Origin %s: %#', async (_name, getOrigin, status) => {
    expect((await send({}, { Origin: getOrigin() })).status).toBe(status)
  })

  test('an Origin equal to any Host is ours', async () => {
    const headers = { Host: 'site.example:8080', Origin: 'http://site.example:8080' }
    expect((await send({}, headers)).status).toBe(200)
  })

  test('a null Origin is foreign also to a request without Host', async () => {
    const answer = await exchange(
      site,
      'POST /api/contact HTTP/1.0\r\nOrigin: null\r\nContent-Length: 0\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
  })
})
