import request from 'supertest'
import { createDocument } from '../../../server/api/openapi/document.ts'
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

test('/api/openapi.json is the document as JSON, and 304 to its ETag', async () => {
  const get = () => request(site.url).get('/api/openapi.json')
  const { status, headers, body } = await get()
  expect(status).toBe(200)
  expect(headers['content-type']).toMatch(/^application\/json/)
  expect(headers['cache-control']).toBe('no-cache')
  const document = createDocument(`http://localhost:${new URL(site.url).port}`, {
    count: 2,
    windowMinutes: 60,
  })
  expect(body).toEqual(JSON.parse(JSON.stringify(document)))
  expect((await get().set('If-None-Match', headers.etag ?? '')).status).toBe(304)
})

test.each([
  ['post', '/livez', 'GET, HEAD'],
  ['post', '/readyz', 'GET, HEAD'],
  ['post', '/api/openapi.json', 'GET, HEAD'],
  ['post', '/api/test-error', 'GET, HEAD'],
  ['get', '/api/client-errors', 'POST'],
] as const)('%s %s is 405 with Allow: %s', async (method, path, allowed) => {
  const { status, headers } = await request(site.url)[method](path)
  expect(status).toBe(405)
  expect(headers.allow).toBe(allowed)
})
