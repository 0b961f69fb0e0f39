import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import request from 'supertest'
import { exchangeBytes, writeRequest } from '../../../tools/harness/raw-client.ts'
import { type Site, startSite } from '../../support/site.ts'

let site: Site
let script: string
let font: string
beforeAll(async () => {
  site = await startSite()
  const { text } = await request(site.url).get('/')
  script = /<script[^>]* src="(\/assets\/entry-client-[^"]+\.js)"/.exec(text)?.[1] ?? ''
  font = /url\((\/assets\/[^)]+\.woff2)\)/.exec(text)?.[1] ?? ''
})
afterAll(() => site.stop())

const load = async (path: string, encoding?: string) => {
  const headers = encoding === undefined ? {} : { 'Accept-Encoding': encoding }
  const answer = await request(site.url)
    .get(path)
    .set({ 'Accept-Encoding': '', ...headers })
    .buffer(true)
  return { status: answer.status, headers: answer.headers, text: answer.text }
}

test('every asset that a page names is served, immutable for a year', async () => {
  const { text } = await request(site.url).get('/contact')
  const assets = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
    ([, path]) => path ?? '',
  )
  expect(assets.length).toBeGreaterThan(1)
  for (const asset of assets) {
    const { status, headers } = await request(site.url).head(asset)
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers.etag).toMatch(/^W\/"/)
    expect(headers.vary).toBe('Accept-Encoding')
  }
})

test('a file without a hash in its name is revalidated', async () => {
  const { headers, status } = await request(site.url).get('/icon.svg')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('image/svg+xml')
  expect(headers['cache-control']).toBe('no-cache')
})

test('files have the right types', async () => {
  expect((await load(script)).headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect((await load(font)).headers['content-type']).toBe('font/woff2')
})

test.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['deflate', undefined],
  ['identity', undefined],
])('to one who accepts %s a script is sent as %s', async (accepted, encoding) => {
  const { headers } = await request(site.url).head(script).set('Accept-Encoding', accepted)
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers.vary).toBe('Accept-Encoding')
})

test('a script is the same in every encoding', async () => {
  const bodyOf = async (encoding: string) => {
    const answer = await exchangeBytes(
      site,
      writeRequest('GET', script, { 'Accept-Encoding': encoding }),
    )
    return answer.subarray(answer.indexOf('\r\n\r\n') + 4)
  }
  const plain = await bodyOf('identity')
  expect(plain.toString()).toContain('import')
  expect(brotliDecompressSync(await bodyOf('br'))).toEqual(plain)
  expect(gunzipSync(await bodyOf('gzip'))).toEqual(plain)
})

test('a file is 304 to a visitor who has it', async () => {
  const { headers } = await request(site.url).get(script)
  const again = await request(site.url)
    .get(script)
    .set('If-None-Match', headers.etag ?? '')
  expect(again.status).toBe(304)
  expect(again.headers.vary).toBe('Accept-Encoding')
})

test('a chunk that a newer build removed is 404 and not immutable', async () => {
  const { status, headers } = await request(site.url).get('/assets/home-00000000.js')
  expect(status).toBe(404)
  expect(headers['cache-control']).not.toContain('immutable')
})
