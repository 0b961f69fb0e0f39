import { post, postForm, VALID } from '../../../tools/harness/contact.ts'
import { exchange } from '../../../tools/harness/raw-client.ts'
import { type Site, startSite } from '../../support/site.ts'
import { BEHIND_PROXY, createVisitor } from '../../support/visitors.ts'

const OURS = 'https://www.exemple.ca'
const SECOND = 'https://exemple.ca'
const FOREIGN = 'https://evil.example'

type Row = [site: string | undefined, origin: string | undefined, status: number]

const sent = ([fetchSite, origin]: Row) => ({
  ...createVisitor(),
  ...(fetchSite && { 'Sec-Fetch-Site': fetchSite }),
  ...(origin && { Origin: origin }),
})

describe('with PUBLIC_URL', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ environment: { ...BEHIND_PROXY, PUBLIC_URL: `${OURS},${SECOND}` } })
  })
  afterAll(() => site.stop())

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

  test.each(rows)('Sec-Fetch-Site %s from %s is %d', async (...row) => {
    const { status, body } = await post(site, VALID, sent(row))
    expect(status).toBe(row[2])
    if (status === 403) expect(body.code).toBe('cross-site')
  })

  test.each(rows)('for the form: Sec-Fetch-Site %s from %s is %d', async (...row) => {
    const { status } = await postForm(site, VALID, sent(row))
    expect(status).toBe(row[2] === 200 ? 303 : 403)
  })
})

describe('without PUBLIC_URL', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ environment: BEHIND_PROXY })
  })
  afterAll(() => site.stop())

  test.each([
    ['equal to the Host', () => site.url, 200],
    ['of another port', () => 'http://127.0.0.1:1', 403],
    ['foreign', () => FOREIGN, 403],
    ['null', () => 'null', 403],
  ])('an Origin %s: %#', async (_name, origin, status) => {
    const headers = { ...createVisitor(), Origin: origin() }
    expect((await post(site, VALID, headers)).status).toBe(status)
  })

  test('the name under which the visitor came is ours too', async () => {
    const headers = { Host: 'site.example:8080', Origin: 'http://site.example:8080' }
    const { status } = await post(site, VALID, { ...createVisitor(), ...headers })
    expect(status).toBe(200)
  })

  test('a null Origin is foreign also to a request without Host', async () => {
    const answer = await exchange(
      site,
      'POST /api/contact HTTP/1.0\r\nOrigin: null\r\nContent-Length: 0\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
  })
})
