import request from 'supertest'
import { type Site, startSite } from '../../support/site.ts'

describe.each([
  { stopping: false, ready: 200 },
  { stopping: true, ready: 503 },
])('when the process is stopping: $stopping', ({ stopping, ready }) => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ parts: { isStopping: () => stopping } })
  })
  afterAll(() => site.stop())

  test.each([
    ['/livez', 200],
    ['/readyz', ready],
  ])('%s is %d', async (path, expected) => {
    const { status, headers } = await request(site.url).get(path)
    expect(status).toBe(expected)
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect((await request(site.url).head(path)).status).toBe(expected)
  })

  test('pages are still served', async () => {
    expect((await request(site.url).get('/')).status).toBe(200)
  })

  test.each(['/livez', '/readyz'])('%s with another method is 405 with Allow', async (path) => {
    const { status, headers } = await request(site.url).post(path)
    expect(status).toBe(405)
    expect(headers.allow).toBe('GET, HEAD')
  })
})
