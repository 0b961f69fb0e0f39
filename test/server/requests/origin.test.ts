import { askRaw, report, send, sendForm, setUpSite, site } from '../setup.ts'

const OURS = 'https://www.exemple.ca'
const SECOND = 'https://exemple.ca'
const FOREIGN = 'https://evil.example'

type Headers = Record<string, string>

/** The origins that may post with each value of Sec-Fetch-Site. */
const ORIGINS = [OURS, SECOND, FOREIGN, 'null', undefined]
const PASSES: [fetchSite: string | undefined, passing: unknown[]][] = [
  ['cross-site', []],
  ['same-site', [OURS, SECOND]],
  ['same-origin', ORIGINS],
  ['none', ORIGINS],
  [undefined, [OURS, SECOND, undefined]],
  ['unknown', []],
]

describe('with PUBLIC_URL', () => {
  setUpSite({ environment: { PUBLIC_URL: `${OURS},${SECOND}` } })

  test.each(
    PASSES.flatMap(([fetchSite, passing]) =>
      ORIGINS.map((origin) => [fetchSite, origin, passing.includes(origin) ? 200 : 403] as const),
    ),
  )('Sec-Fetch-Site %s of %s is %d', async (fetchSite, origin, expected) => {
    const headers: Headers = {}
    if (fetchSite) headers['Sec-Fetch-Site'] = fetchSite
    if (origin) headers.Origin = origin
    const answer = await send({}, headers).expect(expected)
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.each([
    'https://blog.exemple.ca',
    'http://www.exemple.ca',
    `${OURS}.evil.example`,
    'https://exemple.ca:8443',
  ])('%s, which looks like ours, is 403', async (Origin) => {
    await send({}, { Origin }).expect(403)
    await send({}, { Origin, 'Sec-Fetch-Site': 'same-site' }).expect(403)
  })

  test('forms and reports follow the same rule, and nothing foreign is kept', async () => {
    const { length } = await site.messages()
    for (const ask of [sendForm, report, send])
      expect((await ask({}, { Origin: FOREIGN })).status).toBe(403)
    expect(await site.messages()).toHaveLength(length)
    const own = { 'Sec-Fetch-Site': 'same-origin' }
    expect((await sendForm({}, own)).status).toBe(303)
    expect((await report({}, own)).status).toBe(204)
  })
})

describe('without PUBLIC_URL, where only localhost is ours', () => {
  setUpSite()

  test('its origin may post; the Host of a request says nothing', async () => {
    const { port } = new URL(site.url)
    await send({}, { Origin: `http://localhost:${port}` }).expect(200)
    await send({}, { Origin: 'http://localhost:1' }).expect(403)
    await send({}, { Origin: 'http://a.example:8080', Host: 'a.example:8080' }).expect(403)
    await send({}, { Origin: FOREIGN }).expect(403)
  })

  test('a null origin is foreign, without Host too', async () => {
    const bytes = 'POST /api/contact HTTP/1.0\r\nOrigin: null\r\nContent-Length: 0\r\n\r\n'
    expect((await askRaw(bytes)).status).toBe(403)
  })
})
