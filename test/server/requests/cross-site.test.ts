import { BEHIND_PROXY } from '../../support/site.ts'
import { askRaw, report, send, sendForm, setUpSite, site } from '../setup.ts'

const OURS = 'https://www.exemple.ca'
const SECOND = 'https://exemple.ca'
const FOREIGN = 'https://evil.example'

const ORIGINS = ['ours', 'foreign', 'null', 'absent']

/** The origins that may post with each value of Sec-Fetch-Site. */
const PASSES: Record<string, string[]> = {
  'cross-site': [],
  'same-site': ['ours'],
  'same-origin': ORIGINS,
  none: ORIGINS,
  absent: ['ours', 'absent'],
  unknown: [],
}

const cells = Object.entries(PASSES).flatMap(([fetchSite, passing]) =>
  ORIGINS.map((origin) => ({ fetchSite, origin, passes: passing.includes(origin) })),
)

type Ask = (headers: object) => PromiseLike<{ status: number; headers: object }>
const ways: [name: string, ok: number, ask: Ask][] = [
  ['JSON', 200, (headers) => send({}, headers)],
  ['a form', 303, (headers) => sendForm({}, headers)],
  ['a report', 204, (headers) => report({}, headers)],
]

const SITES: [where: string, environment: Record<string, string>][] = [
  ['with PUBLIC_URL', { PUBLIC_URL: `${OURS},${SECOND}` }],
  ['without PUBLIC_URL, where the Host is ours', {}],
]

describe.each(SITES)('%s', (_where, environment) => {
  setUpSite({ environment: { ...BEHIND_PROXY, ...environment } })

  const getHeaders = (fetchSite: string, origin: string) => {
    const ours = 'PUBLIC_URL' in environment ? OURS : site.url
    const origins: Record<string, string> = { ours, foreign: FOREIGN, null: 'null' }
    return {
      ...(fetchSite !== 'absent' && { 'Sec-Fetch-Site': fetchSite }),
      ...(origins[origin] && { Origin: origins[origin] }),
    }
  }

  describe.each(ways)('%s', (way, ok, ask) => {
    const title = 'Sec-Fetch-Site $fetchSite, Origin $origin: $passes'
    test.each(cells)(title, async ({ fetchSite, origin, passes }) => {
      const kept = (await site.messages()).length
      const { status, headers } = await ask(getHeaders(fetchSite, origin))
      expect(status).toBe(passes ? ok : 403)
      const added = passes && way !== 'a report' ? 1 : 0
      expect((await site.messages()).length).toBe(kept + added)
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    })
  })
})

describe('an origin that looks like ours', () => {
  describe('with PUBLIC_URL', () => {
    setUpSite({ environment: { ...BEHIND_PROXY, PUBLIC_URL: `${OURS},${SECOND}` } })

    test.each([
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

    test.each([
      ['of another port is foreign', { Origin: 'http://127.0.0.1:1' }, 403],
      ['of any Host is ours', { Host: 'a.example:8080', Origin: 'http://a.example:8080' }, 200],
    ])('%s', async (_name, headers, expected) => {
      expect((await send({}, headers)).status).toBe(expected)
    })

    test('a null origin is foreign also to a request without Host', async () => {
      const bytes = 'POST /api/contact HTTP/1.0\r\nOrigin: null\r\nContent-Length: 0\r\n\r\n'
      expect((await askRaw(bytes)).status).toBe(403)
    })
  })
})
