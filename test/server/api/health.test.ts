import request from 'supertest'
import { type Site, startSite } from '../../support/site.ts'

let isStopping = false
let site: Site
beforeAll(async () => {
  site = await startSite({ parts: { isStopping: () => isStopping } })
})
afterAll(() => site.stop())

test.each([
  ['/livez', false, 200],
  ['/readyz', false, 200],
  ['/livez', true, 200],
  ['/readyz', true, 503],
  ['/', true, 200],
])('%s, while the process is stopping: %s, is %d', async (path, stopping, expected) => {
  isStopping = stopping
  const { status, headers } = await request(site.url).get(path)
  expect(status).toBe(expected)
  expect(headers['content-type']).toMatch(path === '/' ? /^text\/html/ : /^text\/plain/)
  expect((await request(site.url).head(path)).status).toBe(expected)
})

test.each(['/livez', '/readyz'])('%s with another method is 405 with Allow', async (path) => {
  const { status, headers } = await request(site.url).post(path)
  expect(status).toBe(405)
  expect(headers.allow).toBe('GET, HEAD')
})
