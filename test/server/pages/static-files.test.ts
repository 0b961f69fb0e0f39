import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import request from 'supertest'
import { chooseEncoding } from '../../../server/pages/encoding.ts'
import { get, getBytes, setUpSite, site } from '../setup.ts'

setUpSite()

let script: string
let font: string
beforeAll(async () => {
  const { text } = await get('/')
  script = /<script[^>]* src="(\/assets\/entry-client-[^"]+\.js)"/.exec(text)?.[1] ?? ''
  font = /url\((\/assets\/[^)]+\.woff2)\)/.exec(text)?.[1] ?? ''
})

test('every asset that a page names is served, immutable for a year', async () => {
  const { text } = await get('/contact')
  const assets = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
    ([, path]) => path ?? '',
  )
  expect(assets.length).toBeGreaterThan(1)
  for (const asset of assets) {
    const { headers } = await request(site.url).head(asset).expect(200)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers.etag).toMatch(/^W\/"/)
    expect(headers.vary).toBe('Accept-Encoding')
  }
})

test('a file without a hash in its name is revalidated', async () => {
  const { headers } = await get('/icon.svg').expect(200)
  expect(headers['content-type']).toBe('image/svg+xml')
  expect(headers['cache-control']).toBe('no-cache')
})

test('files have the right types', async () => {
  expect((await get(script)).headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect((await get(font)).headers['content-type']).toBe('font/woff2')
})

test.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['deflate', undefined],
])('to a client that accepts %s a script is sent as %s', async (accepted, encoding) => {
  const { headers } = await request(site.url).head(script).set('Accept-Encoding', accepted)
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers.vary).toBe('Accept-Encoding')
})

test('a script is the same in every encoding', async () => {
  const plain = await getBytes(script, 'identity')
  expect(plain.toString()).toContain('import')
  expect(brotliDecompressSync(await getBytes(script, 'br'))).toEqual(plain)
  expect(gunzipSync(await getBytes(script, 'gzip'))).toEqual(plain)
})

test('a file is 304 to a visitor who has it', async () => {
  const { headers } = await get(script)
  const again = await get(script, { 'If-None-Match': headers.etag }).expect(304)
  expect(again.headers.vary).toBe('Accept-Encoding')
})

test('a chunk that a newer build removed is 404 and not immutable', async () => {
  const { headers } = await get('/assets/home-00000000.js').expect(404)
  expect(headers['cache-control']).not.toContain('immutable')
})

test.each([
  [undefined, 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip;q=0.9', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['*;q=0', 'identity'],
  ['gzip;q=0.1, identity;q=0.9', 'identity'],
])('Accept-Encoding %j gets %s', (header, expected) => {
  expect(chooseEncoding(header)).toBe(expected)
})

test('only an available encoding is chosen', () => {
  expect(chooseEncoding('br, gzip', ['gzip', 'identity'])).toBe('gzip')
})
