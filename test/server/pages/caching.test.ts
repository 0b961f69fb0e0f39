import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import request from 'supertest'
import { chooseEncoding } from '../../../server/pages/encoding.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { createFailingRenderer } from '../../support/site.ts'
import { get, getBytes, setUpSite, site, startSite } from '../setup.ts'

const ORIGIN = { PUBLIC_URL: 'https://www.exemple.ca' }

setUpSite({ environment: ORIGIN })

const found = pages.flatMap(({ path, status }) => (path && status === 200 ? [path] : []))
const getEtag = async (path: string) => (await get(path)).headers.etag ?? ''

test.each(found)('%s answers 304 to a visitor who has it', async (path) => {
  const etag = await getEtag(path)
  expect(etag).toMatch(/^W\/"[\w-]{20,}"$/)
  const { text, headers } = await get(path, { 'If-None-Match': etag }).expect(304)
  expect(text).toBe('')
  expect(headers.etag).toBe(etag)
  expect(headers['cache-control']).toBe('private, no-cache')
})

test('no two pages, and no two languages of a page, have the same ETag', async () => {
  const addresses = found.flatMap((path) => LANGUAGES.map((each) => `${path}?lang=${each}`))
  const etags = await Promise.all(addresses.map((address) => getEtag(address)))
  expect(new Set(etags).size).toBe(addresses.length)
})

test('the language of the cookie makes the same page as the one in the address', async () => {
  const { headers } = await get('/', { Cookie: 'rg-language=en' })
  expect(headers.etag).toBe(await getEtag('/?lang=en'))
})

test.each(['/test-404', '/test-500', '/no-such-page', '/%zz'])(
  '%s keeps its status with If-None-Match, too',
  async (path) => {
    const { status, headers } = await get(path)
    await get(path, { 'If-None-Match': headers.etag ?? '*' }).expect(status)
    expect(status).toBeGreaterThanOrEqual(400)
  },
)

test.each([
  ['value of the limit', { CONTACT_LIMIT: '3' }],
  ['value of the window', { CONTACT_WINDOW_MINUTES: '30' }],
  ['time to keep', { RETENTION_DAYS: '90' }],
  ['time in quarantine', { QUARANTINE_DAYS: '7' }],
  ['origin', { PUBLIC_URL: 'https://exemple.ca' }],
  ['build', {}],
])('another %s makes another ETag', async (name, environment) => {
  const renderer = { ...(await createFailingRenderer()), build: 'another' }
  const parts = name === 'build' ? { renderer } : undefined
  const other = await startSite({ environment: { ...ORIGIN, ...environment }, parts })
  const { headers } = await request(other.url).get('/contact')
  await other.stop()
  expect(headers.etag).not.toBe(await getEtag('/contact'))
})

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
