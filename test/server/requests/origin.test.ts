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

type Row = [headers: { Origin: string; Host?: string }, expected: number]

/** Origins that look like ours. */
const SITES: [where: string, environment: Record<string, string>, rows: Row[]][] = [
  [
    'with PUBLIC_URL',
    { PUBLIC_URL: `${OURS},${SECOND}` },
    [
      [{ Origin: SECOND }, 200],
      [{ Origin: 'https://blog.exemple.ca' }, 403],
      [{ Origin: 'http://www.exemple.ca' }, 403],
      [{ Origin: `${OURS}.evil.example` }, 403],
      [{ Origin: 'https://exemple.ca:8443' }, 403],
    ],
  ],
  [
    'without PUBLIC_URL, where the Host is ours',
    {},
    [
      [{ Origin: 'http://127.0.0.1:1' }, 403],
      [{ Origin: 'http://a.example:8080', Host: 'a.example:8080' }, 200],
    ],
  ],
]

describe.each(SITES)('%s', (_where, environment, rows) => {
  setUpSite({ environment })

  test.each(rows)('%j is %d', async (headers, expected) => {
    await send({}, headers).expect(expected)
    await send({}, { ...headers, 'Sec-Fetch-Site': 'same-site' }).expect(expected)
  })

  test.each(cells)('Sec-Fetch-Site $fetchSite, Origin $origin: $passes', async (cell) => {
    const { fetchSite, origin, passes } = cell
    const ours = 'PUBLIC_URL' in environment ? OURS : site.url
    const origins: Record<string, string> = { ours, foreign: FOREIGN, null: 'null' }
    const answer = await send(
      {},
      {
        ...(fetchSite !== 'absent' && { 'Sec-Fetch-Site': fetchSite }),
        ...(origins[origin] && { Origin: origins[origin] }),
      },
    )
    expect(answer.status).toBe(passes ? 200 : 403)
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('forms and reports follow the same rule, and nothing foreign is kept', async () => {
    const { length } = await site.messages()
    const foreign = { Origin: FOREIGN }
    expect((await sendForm({}, foreign)).status).toBe(403)
    expect((await report({}, foreign)).status).toBe(403)
    expect((await send({}, foreign)).status).toBe(403)
    expect(await site.messages()).toHaveLength(length)
    const own = { 'Sec-Fetch-Site': 'same-origin' }
    expect((await sendForm({}, own)).status).toBe(303)
    expect((await report({}, own)).status).toBe(204)
  })
})

describe('without PUBLIC_URL and without Host', () => {
  setUpSite()

  test('a null origin is foreign', async () => {
    const bytes = 'POST /api/contact HTTP/1.0\r\nOrigin: null\r\nContent-Length: 0\r\n\r\n'
    expect((await askRaw(bytes)).status).toBe(403)
  })
})
