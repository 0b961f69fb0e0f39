import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync } from 'node:zlib'
import request from 'supertest'
import { createBundleRenderer } from '../../../server/pages/bundle-renderer.ts'
import { createAssets, createPublishedFiles } from '../../../server/pages/files.ts'
import type { Renderer } from '../../../server/pages/renderer.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { openSocket, writeRequest } from '../../../tools/harness/raw-client.ts'
import { createFolder } from '../../support/folders.ts'
import { DIST } from '../../support/site.ts'
import {
  get,
  getRaw,
  NOON,
  openSite,
  send,
  sendForm,
  setUpSite,
  setUpSitePerTest,
  site,
} from '../setup.ts'

const environment = { PUBLIC_URL: 'https://www.exemple.ca' }
const real = await createBundleRenderer(DIST)
const folder = createFolder()
const files = [createAssets(join(DIST, 'client/assets')), createPublishedFiles(folder)]

setUpSite({ environment, parts: { files } })

const found = pages.flatMap(({ path, status }) => (path && status === 200 ? [path] : []))
const getEtag = async (path: string) => (await get(path)).headers.etag ?? ''

test.each(found)('%s answers 304 to a visitor who has it', async (path) => {
  const etag = await getEtag(path)
  const { text, headers } = await get(path, { 'If-None-Match': etag }).expect(304)
  expect(text).toBe('')
  expect(headers).toMatchObject({ etag, 'cache-control': 'private, no-cache' })
})

test('no two pages, and no two languages of a page, have the same ETag', async () => {
  const urls = found.flatMap((path) => LANGUAGES.map((each) => `${path}?lang=${each}`))
  urls.push('/contact?service=francophone')
  const etags = await Promise.all(urls.map((url) => getEtag(url)))
  expect(new Set(etags).size).toBe(urls.length)
})

test.each(['/test-404', '/test-500', '/no-such-page', '/%zz'])(
  '%s keeps its status with If-None-Match, too',
  async (path) => {
    const { status, headers } = await get(path)
    expect(status).toBeGreaterThanOrEqual(400)
    await get(path, { 'If-None-Match': headers.etag ?? '*' }).expect(status)
  },
)

test.each([
  ['value of the limit', { CONTACT_LIMIT: '3' }],
  ['time to keep', { RETENTION_DAYS: '90' }],
  ['origin', { PUBLIC_URL: 'https://exemple.ca' }],
  ['build', {}],
])('another %s makes another ETag', async (name, change) => {
  const parts = name === 'build' ? { renderer: { ...real, build: 'another' } } : undefined
  const other = await openSite({ environment: { ...environment, ...change }, parts })
  const { headers } = await request(other.url).get('/contact')
  await other.stop()
  expect(headers.etag).not.toBe(await getEtag('/contact'))
})

test.each(['/robots.txt', '/sitemap.xml', '/site.webmanifest', '/api/openapi.json'])(
  '%s is asked for again, and 304 if it is the same',
  async (path) => {
    const { headers } = await get(path).expect(200)
    expect(headers['cache-control']).toBe('no-cache')
    await get(path, { 'If-None-Match': headers.etag }).expect(304)
  },
)

describe('a file', () => {
  mkdirSync(join(folder, '.well-known'))
  mkdirSync(join(folder, '.git'))
  const FILES = [
    ['.well-known/security.txt', '/.well-known/security.txt', 'text/plain; charset=utf-8'],
    ['google0123456789.html', '/google0123456789.html', 'text/html; charset=utf-8'],
    ['Logo.SVG', '/Logo.SVG', 'image/svg+xml'],
    ['BingSiteAuth.xml', '/BingSiteAuth.xml', /^(?:application|text)\/xml/],
    ['Plan d’accès.pdf', '/Plan%20d%E2%80%99acc%C3%A8s.pdf', 'application/pdf'],
  ] as const
  const HIDDEN = ['.DS_Store', '.env', '.git/config']
  for (const [name] of FILES) writeFileSync(join(folder, name), `The text of ${name}`)
  for (const name of HIDDEN) writeFileSync(join(folder, name), 'secret')

  test.each(FILES)('%s is published at %s as %s', async (name, path, type) => {
    const { status, headers, body } = await getRaw(path)
    expect({ status, body }).toEqual({ status: 200, body: `The text of ${name}` })
    expect(headers['content-type']).toMatch(type)
    expect(headers['cache-control']).not.toContain('immutable')
    // Under the policy of the pages, an SVG or HTML file would lose its styles.
    const policy = headers['content-security-policy']
    expect(policy?.includes("style-src 'unsafe-inline'")).toBe(/html|svg/i.test(name))
    expect(policy?.endsWith('; sandbox')).toBe(/html|svg/i.test(name))
    expect(policy).toMatch(/default-src 'none'/)
    expect((await getRaw(path, { 'If-None-Match': headers.etag ?? '' })).status).toBe(304)
  })

  test.each([...HIDDEN.map((name) => `/${name}`), '/.well-known/', '/none.pdf'])(
    '%s is not published',
    async (path) => {
      const { status, body } = await getRaw(path)
      expect([status === 404 || status === 308, body.includes('secret')]).toEqual([true, false])
    },
  )

  const TYPES = { css: 'text/css', js: 'text/javascript', woff2: 'font/woff2' }
  const assets = readdirSync(join(DIST, 'client/assets'))

  test.each(Object.entries(TYPES))('of the build, .%s, is immutable', async (ending, type) => {
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
  ])('for a client that accepts %s is sent as %s', async (accepted, encoding) => {
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
})

/** About so much comes with the first packets of a connection. Later visitors get the best compression. */
const MAX_PAGE_BYTES = 14_500

async function load(path: string, encoding = 'br') {
  const { status, headers, text } = await get(path, { 'Accept-Encoding': encoding }).buffer(true)
  return { status, headers, html: text, isChunked: headers['transfer-encoding'] === 'chunked' }
}

describe('the first visitor gets a page as it is rendered, the next one with its length:', () => {
  setUpSite()
  const known = pages.flatMap(({ path, status }) =>
    path ? [{ path, status, encoding: 'br' }] : [],
  )

  test.each([
    ...known,
    { path: '/no-such-page', status: 404, encoding: 'br' },
    ...['gzip', 'identity'].map((encoding) => ({ path: '/', status: 200, encoding })),
  ])('$path as $encoding', async ({ path, status, encoding }) => {
    const first = await load(path, encoding)
    expect(first).toMatchObject({ status, isChunked: true })
    expect(first.headers).not.toHaveProperty('content-length')
    expect(first.html.trimEnd().endsWith('</html>')).toBe(true)
    const second = await load(path, encoding)
    expect(second).toMatchObject({ status, isChunked: false })
    expect(Number(second.headers['content-length'])).toBeGreaterThan(0)
    expect(brotliCompressSync(first.html).length).toBeLessThan(MAX_PAGE_BYTES)
    expect(second.html === first.html).toBe(true)
    for (const { headers } of [first, second]) {
      expect(headers.vary).toBe('Accept-Encoding')
      expect(headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding)
      expect(headers.etag).toBe(first.headers.etag)
    }
  })

  test('the time in the contact page is at most 100 ms old and never ahead, in every encoding', async () => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      for (const step of [1, 98, 1, 50, 61_000, -5_001]) {
        site.clock.time += step
        const { html } = await load('/contact', encoding)
        const time = /name="formStartTime"[^>]*value="(\d+)"/.exec(html)?.[1]
        const age = site.clock.time - Number(time)
        expect({ step, isFresh: age >= 0 && age < 100 }).toEqual({ step, isFresh: true })
      }
    }
  })
})

describe('a rendering', () => {
  let rendered: string[] = []
  /** Replaces the next rendering. */
  let fail: Renderer['render'] | undefined
  const renderer: Renderer = {
    build: 'test',
    styleHashes: [],
    render(state) {
      rendered.push(`${state.page} ${state.language}`)
      const render = fail ?? real.render
      fail = undefined
      return render(state)
    },
  }
  beforeEach(() => {
    rendered = []
  })
  setUpSitePerTest({ parts: { renderer } })

  test('serves everyone with the same language and encoding, those who ask meanwhile too', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => load('/services')))
    expect(new Set(answers.map(({ html }) => html)).size).toBe(1)
    await load('/services?lang=en')
    expect(rendered).toEqual(['services fr', 'services en'])
  })

  test('of HEAD has the headers of GET and no body', async () => {
    const head = await getRaw('/services', {}, 'HEAD')
    expect(head).toMatchObject({ status: 200, body: '' })
    const { headers } = await load('/services', 'identity')
    expect(headers.etag).toBe(head.headers.etag)
    const again = await getRaw('/services', {}, 'HEAD')
    expect(again.headers['content-length']).toBe(headers['content-length'])
  })

  test('that throws is the 500 page in the right language, and is tried again', async () => {
    fail = async () => {
      throw new Error('is broken')
    }
    const { status, html } = await load('/privacy-policy')
    expect(status).toBe(500)
    expect(html.includes('<html lang="en"')).toBe(true)
    expect(html.includes('content="noindex"')).toBe(true)
    expect(JSON.stringify(site.logged)).toContain('request failed')
    expect(html + JSON.stringify(site.logged)).not.toContain('is broken')
    expect((await load('/privacy-policy')).status).toBe(200)
    expect(rendered).toEqual(['privacy-en en', 'server-error en', 'privacy-en en'])
  })

  test('leaves piece by piece; one that breaks after the head cuts the connection, and ends nothing else', async () => {
    const headArrived = Promise.withResolvers<void>()
    fail = async (state) => ({
      ...(await real.render(state)),
      pipe(destination) {
        destination.write('<p>begun')
        headArrived.promise.then(() => destination.destroy(new Error('is broken')))
      },
    })
    const socket = await openSocket(site)
    socket.on('error', () => {}).once('readable', headArrived.resolve)
    socket.write(writeRequest('GET', '/services', { 'Accept-Encoding': 'br' }))
    const answer = String(await buffer(socket).catch(() => ''))
    // The last, empty chunk would tell the client that the page is whole.
    expect(answer.endsWith('0\r\n\r\n')).toBe(false)
    const next = await load('/services')
    expect(next).toMatchObject({ status: 200, isChunked: true })
    expect(next.html.trimEnd().endsWith('</html>')).toBe(true)
  })

  test('with a visitor’s input or reference is kept for nobody', async () => {
    const first = await sendForm({ firstName: 'Aurélie', message: '' })
    const second = await sendForm({ firstName: 'Bérénice', message: '' })
    expect(first.text.includes('value="Aurélie"')).toBe(true)
    expect(second.text.includes('value="Bérénice"')).toBe(true)
    expect(second.text.includes('Aurélie')).toBe(false)
    const references = [(await send()).body.reference, (await send()).body.reference]
    for (const reference of references) {
      const { html } = await load(`/contact?sent=${reference}`)
      expect(new Set(html.match(/RG-\w{5}-\w{5}/g))).toEqual(new Set([reference]))
    }
    const { html } = await load('/contact')
    expect(/Aurélie|Bérénice|RG-/.test(html)).toBe(false)
    expect(html.includes(String(NOON))).toBe(true)
  })
})
