import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import request from 'supertest'
import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { createFailingRenderer } from '../../support/site.ts'
import { get, getBytes, openSite, setUpSite, site } from '../setup.ts'

const ORIGIN = { PUBLIC_URL: 'https://www.exemple.ca' }

setUpSite({ environment: ORIGIN })

const found = pages.flatMap(({ path, status }) => (path && status === 200 ? [path] : []))
const getEtag = async (path: string) => (await get(path)).headers.etag ?? ''

test.each(found)('%s answers 304 to a visitor who has it', async (path) => {
  const etag = await getEtag(path)
  expect(etag).toMatch(/^W\/"[\w-]{20,}"$/)
  await get(path, { 'If-None-Match': '*' }).expect(304)
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
  const other = await openSite({ environment: { ...ORIGIN, ...environment }, parts })
  const { headers } = await request(other.url).get('/contact')
  await other.stop()
  expect(headers.etag).not.toBe(await getEtag('/contact'))
})

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  woff2: 'font/woff2',
}

test('every asset that a page names is served, immutable for a year', async () => {
  const { text } = await get('/contact')
  const assets = text.match(/(?<=(?:src|href)="|url\()\/assets\/[^")]+/g) ?? []
  const endings = new Set(assets.map((asset) => asset.split('.').at(-1)))
  expect([...endings].sort()).toEqual(Object.keys(TYPES))
  for (const asset of assets) {
    const { headers } = await request(site.url).head(asset).expect(200)
    const type = TYPES[asset.split('.').at(-1) ?? '']
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': type,
      etag: expect.stringMatching(/^W\/"/),
      vary: 'Accept-Encoding',
    })
    const again = await get(asset, { 'If-None-Match': headers.etag }).expect(304)
    expect(again.headers.vary).toBe('Accept-Encoding')
  }
})

const FILES = ['/icon.svg', '/robots.txt', '/sitemap.xml', '/site.webmanifest', '/api/openapi.json']

test.each(FILES)('%s is compressed and revalidated, and answers HEAD as GET', async (path) => {
  const { headers } = await get(path, { 'Accept-Encoding': 'br' }).expect(200)
  expect(headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-encoding': 'br',
    vary: 'Accept-Encoding',
  })
  const head = await request(site.url).head(path).set('Accept-Encoding', 'br')
  expect(head.headers['content-length']).toBe(headers['content-length'])
  for (const known of [headers.etag, '*']) await get(path, { 'If-None-Match': known }).expect(304)
})

test.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
  ['deflate', undefined, (bytes: Buffer) => bytes],
])('to a client that accepts %s a script is sent as %s', async (accepted, encoding, decode) => {
  const [script = ''] = (await get('/')).text.match(/\/assets\/index-[^"]+\.js/) ?? []
  const { headers } = await request(site.url).head(script).set('Accept-Encoding', accepted)
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers.vary).toBe('Accept-Encoding')
  const plain = await getBytes(script, 'identity')
  expect(plain.toString()).toContain('import')
  expect(decode(await getBytes(script, accepted))).toEqual(plain)
})

test('a file without a hash in its name is asked for again', async () => {
  const { headers } = await get('/assets/licenses.txt').expect(200)
  expect(headers['cache-control']).not.toContain('immutable')
})

test('a chunk that a newer build removed is 404 and not immutable', async () => {
  const { headers } = await get('/assets/home-00000000.js').expect(404)
  expect(headers['cache-control']).not.toContain('immutable')
})
