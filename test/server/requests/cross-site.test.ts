import request from 'supertest'
import { post, postForm, VALID } from '../../../tools/harness/contact.ts'
import { BEHIND_PROXY, createVisitor, type Site, startSite } from '../../support/site.ts'

const OURS = 'https://www.exemple.ca'
const FOREIGN = 'https://evil.example'

/**
 * CONTRACT: refused are cross-site; same-site from an origin that is not ours; no Sec-Fetch-Site and a foreign or
 * null Origin. same-origin, none, or neither header pass.
 */
const EXPECTED = `
Sec-Fetch-Site | ours    foreign null    absent
cross-site     | refused refused refused refused
same-site      | passes  refused refused refused
same-origin    | passes  passes  passes  passes
none           | passes  passes  passes  passes
absent         | passes  refused refused passes
unknown        | refused refused refused refused
`

const [head = '', ...lines] = EXPECTED.trim().split('\n')
const cellsOf = (line: string) => (line.split('|')[1] ?? '').trim().split(/\s+/)
const cells = lines.flatMap((line) =>
  cellsOf(line).map((outcome, column) => ({
    fetchSite: line.split('|')[0]?.trim() ?? '',
    origin: cellsOf(head)[column] ?? '',
    passes: outcome === 'passes',
  })),
)

test('the table has each combination once', () => {
  expect(cells).toHaveLength(6 * 4)
  expect(cells.filter(({ passes }) => passes)).toHaveLength(11)
})

describe.each<{ where: string; environment: Record<string, string> }>([
  { where: 'with PUBLIC_URL', environment: { PUBLIC_URL: `https://exemple.ca,${OURS}` } },
  { where: 'without PUBLIC_URL, where the Host is ours', environment: {} },
])('$where', ({ environment }) => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ environment: { ...BEHIND_PROXY, ...environment } })
  })
  afterAll(() => site.stop())

  const headersOf = (fetchSite: string, origin: string) => {
    const ours = 'PUBLIC_URL' in environment ? OURS : site.url
    const origins: Record<string, string> = { ours, foreign: FOREIGN, null: 'null' }
    return {
      ...createVisitor(),
      ...(fetchSite !== 'absent' && { 'Sec-Fetch-Site': fetchSite }),
      ...(origins[origin] && { Origin: origins[origin] }),
    }
  }

  const title = 'Sec-Fetch-Site $fetchSite, Origin $origin: $passes'

  test.each(cells)(`JSON, ${title}`, async ({ fetchSite, origin, passes }) => {
    const kept = (await site.messages()).length
    const { status, body, headers } = await post(site, VALID, headersOf(fetchSite, origin))
    expect(status).toBe(passes ? 200 : 403)
    expect(body.code).toBe(passes ? undefined : 'cross-site')
    expect((await site.messages()).length).toBe(kept + Number(passes))
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.each(cells)(`form, ${title}`, async ({ fetchSite, origin, passes }) => {
    const kept = (await site.messages()).length
    const { status, headers } = await postForm(site, VALID, headersOf(fetchSite, origin))
    expect(status).toBe(passes ? 303 : 403)
    expect((await site.messages()).length).toBe(kept + Number(passes))
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.each(cells)(`a report, ${title}`, async ({ fetchSite, origin, passes }) => {
    const { status } = await request(site.url)
      .post('/api/client-errors')
      .set(headersOf(fetchSite, origin))
      .send({ message: 'x', path: '/' })
    expect(status).toBe(passes ? 204 : 403)
  })

  test('a preflight request allows no other origin', async () => {
    const { status, headers } = await request(site.url)
      .options('/api/contact')
      .set({ Origin: FOREIGN, 'Access-Control-Request-Method': 'POST' })
    expect(status).toBe(405)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})
