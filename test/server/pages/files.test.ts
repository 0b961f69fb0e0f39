import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAssets, createPublishedFiles } from '../../../server/pages/files.ts'
import { createFolder } from '../../support/folders.ts'
import { DIST } from '../../support/site.ts'
import { get, getRaw, setUpSite } from '../setup.ts'

const folder = createFolder()
mkdirSync(join(folder, '.well-known'))
mkdirSync(join(folder, '.git'))
const FILES = [
  ['.well-known/security.txt', '/.well-known/security.txt', 'text/plain; charset=utf-8'],
  ['google0123456789.html', '/google0123456789.html', 'text/html; charset=utf-8'],
  ['BingSiteAuth.xml', '/BingSiteAuth.xml', /^(?:application|text)\/xml/],
  ['Plan d’accès.pdf', '/Plan%20d%E2%80%99acc%C3%A8s.pdf', 'application/pdf'],
  ['team.webp', '/team.webp', 'image/webp'],
] as const
for (const [name] of FILES) writeFileSync(join(folder, name), `The text of ${name}`)
for (const name of ['.DS_Store', '.env', '.git/config']) writeFileSync(join(folder, name), 'secret')

const files = [createAssets(join(DIST, 'client/assets')), createPublishedFiles(folder)]
setUpSite({ parts: { files } })

test.each(FILES)('%s is published at %s as %s', async (name, path, type) => {
  const { status, headers, body } = await getRaw(path)
  expect({ status, body }).toEqual({ status: 200, body: `The text of ${name}` })
  expect(headers['content-type']).toMatch(type)
  expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
  expect(headers['cache-control']).not.toContain('immutable')
  expect((await getRaw(path, { 'If-None-Match': headers.etag ?? '' })).status).toBe(304)
})

test('a part of a file can be asked for', async () => {
  const last = await getRaw('/BingSiteAuth.xml', { Range: 'bytes=-3' })
  expect(last).toMatchObject({ status: 206, body: 'xml' })
  const { status, headers, body } = await getRaw('/BingSiteAuth.xml', { Range: 'bytes=999-' })
  expect([status, JSON.parse(body).code]).toEqual([416, 'range-not-satisfiable'])
  expect(headers['content-range']).toBe('bytes */28')
})

test.each([
  '/.DS_Store',
  '/.env',
  '/.git/config',
  '/.well-known/',
  '/.well-known/none',
  '/none.pdf',
])('%s is not published', async (path) => {
  const { status, body } = await getRaw(path)
  expect([status === 404 || status === 308, body.includes('secret')]).toEqual([true, false])
})

const TYPES = { css: 'text/css', js: 'text/javascript', woff2: 'font/woff2' }
const assets = readdirSync(join(DIST, 'client/assets'))

test.each(Object.entries(TYPES))('built .%s files are immutable', async (ending, type) => {
  const name = assets.find((asset) => asset.endsWith(`.${ending}`))
  const { headers } = await get(`/assets/${name}`).expect(200)
  expect(headers['content-type']).toContain(type)
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await get(`/assets/${name}`, { 'If-None-Match': headers.etag })).status).toBe(304)
})

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['identity', undefined],
])('to a client that accepts %s a script is sent as %s', async (accepted, encoding) => {
  const script = `/assets/${assets.find((asset) => asset.endsWith('.js'))}`
  const plain = await get(script, { 'Accept-Encoding': 'identity' }).buffer(true)
  const { headers, text } = await get(script, { 'Accept-Encoding': accepted }).buffer(true)
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers.vary).toBe('Accept-Encoding')
  expect(text === plain.text && text.length > 0).toBe(true)
})

test.each(['/assets/home-00000000.js', '/assets', '/assets/../index.html'])(
  '%s, which the build does not have, is 404 and not immutable',
  async (path) => {
    const { status, headers } = await getRaw(path)
    expect(status).toBe(404)
    expect(headers['cache-control']).not.toContain('immutable')
  },
)
