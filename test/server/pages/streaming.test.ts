import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib'
import { createBundleRenderer } from '../../../server/pages/bundle-renderer.ts'
import type { Renderer } from '../../../server/pages/renderer.ts'
import { pages } from '../../../shared/pages.ts'
import {
  exchangeBytes,
  openSocket,
  until,
  writeRequest,
} from '../../../tools/harness/raw-client.ts'
import { DIST } from '../../support/site.ts'
import {
  get,
  getRaw,
  NOON,
  restartSite,
  send,
  sendForm,
  setUpSite,
  setUpSitePerTest,
  site,
  splitAnswer,
} from '../setup.ts'

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  br: (bytes) => brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  gzip: (bytes) => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
  identity: (bytes) => bytes,
}

/** The chunks of a body as HTTP/1.1 frames them. */
function splitChunks(body: Buffer): Buffer[] {
  const chunks: Buffer[] = []
  for (let rest = body; ; ) {
    const start = rest.indexOf('\r\n') + 2
    const size = Number.parseInt(rest.subarray(0, start).toString(), 16)
    if (!size) return chunks
    chunks.push(rest.subarray(start, start + size))
    rest = rest.subarray(start + size + 2)
  }
}

async function load(path: string, encoding = 'identity') {
  const request = writeRequest('GET', path, { 'Accept-Encoding': encoding })
  const { status, headers, body } = splitAnswer(await exchangeBytes(site, request))
  const isChunked = headers['transfer-encoding'] === 'chunked'
  const chunks = isChunked ? splitChunks(body) : [body]
  const decode = DECODERS[encoding] ?? Buffer.from
  const html = decode(Buffer.concat(chunks)).toString()
  return { status, headers, chunks, html, start: decode(chunks[0] ?? body).toString(), isChunked }
}

const known = pages.flatMap(({ path, status }) => (path ? [{ path, status }] : []))
const addresses = [...known, { path: '/no-such-page', status: 404 }]

describe('the first visitor gets a page as it is rendered, the next one with its length:', () => {
  setUpSite()

  test.each(
    Object.keys(DECODERS).flatMap((encoding) => addresses.map((each) => ({ ...each, encoding }))),
  )('$path as $encoding', async ({ path, status, encoding }) => {
    const first = await load(path, encoding)
    expect(first).toMatchObject({ status, isChunked: true })
    expect(first.headers).not.toHaveProperty('content-length')
    expect(first.chunks.length).toBeGreaterThan(1)
    expect(first.start.includes('</head>')).toBe(true)
    expect(first.html.trimEnd().endsWith('</html>')).toBe(true)
    const second = await load(path, encoding)
    expect(second).toMatchObject({ status, isChunked: false })
    expect(second.headers['content-length']).toBe(String(second.chunks[0]?.length))
    expect(second.html === first.html).toBe(true)
    for (const { headers } of [first, second]) {
      expect(headers.vary).toBe('Accept-Encoding')
      expect(headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding)
      expect(headers.etag).toBe(first.headers.etag)
    }
  })

  test('kept bytes become smaller in the background', async () => {
    const { headers } = await load('/services?lang=en', 'br')
    expect(headers).not.toHaveProperty('content-length')
    const quick = Number((await load('/services?lang=en', 'br')).headers['content-length'])
    await until(async () => {
      const answer = await load('/services?lang=en', 'br')
      return Number(answer.headers['content-length']) < quick || quick < 0
    })
  })

  test('the time in the contact page is at most 100 ms old and never ahead, in every encoding', async () => {
    for (const encoding of Object.keys(DECODERS)) {
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
  let real: Renderer
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
  beforeAll(async () => {
    real = await createBundleRenderer(DIST)
  })
  beforeEach(() => {
    rendered = []
  })
  setUpSitePerTest({ parts: { renderer } })

  test('serves everyone with the same language and encoding, those who ask meanwhile too', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => load('/services', 'br')))
    expect(new Set(answers.map(({ html }) => html)).size).toBe(1)
    await load('/services?lang=en', 'br')
    expect(rendered).toEqual(['services fr', 'services en'])
  })

  test('without a build, as in development, is kept for nobody and has no ETag', async () => {
    await restartSite({ parts: { renderer: { ...renderer, build: undefined } } })
    for (const _ of [1, 2]) {
      const { headers, isChunked } = await load('/services', 'br')
      expect([headers.etag, isChunked]).toEqual([undefined, true])
    }
    expect(rendered).toEqual(['services fr', 'services fr'])
  })

  test('of HEAD happens once, and serves the next GET', async () => {
    const head = await getRaw('/services', {}, 'HEAD')
    expect(head).toMatchObject({ status: 200, body: '' })
    const { headers, isChunked } = await load('/services')
    expect([headers.etag, isChunked]).toEqual([head.headers.etag, false])
    expect((await getRaw('/services', {}, 'HEAD')).headers['content-length']).toBe(
      headers['content-length'],
    )
    expect(rendered).toEqual(['services fr'])
  })

  test('of an unknown path serves all of them, and does not name them', async () => {
    const { html } = await load('/a-secret-path')
    expect((await load('/another?x=1')).html === html).toBe(true)
    expect(html.includes('secret')).toBe(false)
    expect(rendered).toEqual(['not-found fr'])
  })

  test('that throws is the 500 page in the right language, and is tried again', async () => {
    fail = async () => {
      throw new Error('is broken')
    }
    const { status, html } = await load('/privacy-policy', 'br')
    expect(status).toBe(500)
    expect(html.includes('<html lang="en"')).toBe(true)
    expect(html.includes('content="noindex"')).toBe(true)
    expect(JSON.stringify(site.logged)).toContain('request failed')
    expect(html + JSON.stringify(site.logged)).not.toContain('is broken')
    expect((await load('/privacy-policy', 'br')).status).toBe(200)
    expect(rendered).toEqual(['privacy-en en', 'server-error en', 'privacy-en en'])
  })

  test('that React cannot begin is the 500 page', async () => {
    const broken: object = { retention: undefined }
    fail = (state) => real.render({ ...state, ...broken })
    expect((await load('/privacy-policy')).status).toBe(500)
  })

  test('that fails like its error page is a sentence for a browser, a problem for a program', async () => {
    const isBroken: Renderer['render'] = async () => {
      throw new Error('is broken')
    }
    await restartSite({ parts: { renderer: { ...renderer, render: isBroken } } })
    const Accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const { headers } = await get('/services', { Accept }).expect(500)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers).not.toHaveProperty('content-encoding')
    const { body } = await get('/services', { Accept: 'application/json' }).expect(500)
    expect(body).toMatchObject({ code: 'server-error' })
  })

  test.each(Object.keys(DECODERS))(
    'that breaks after the head cuts the connection (%s), and ends nothing else',
    async (encoding) => {
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
      socket.write(writeRequest('GET', '/services', { 'Accept-Encoding': encoding }))
      const answer = String(await buffer(socket).catch(() => ''))
      // The last, empty chunk would tell the client that the page is whole.
      expect(answer.endsWith('0\r\n\r\n')).toBe(false)
      expect(JSON.stringify(site.logged)).not.toContain('is broken')
      const next = await load('/services', encoding)
      expect(next).toMatchObject({ status: 200, isChunked: true })
      expect(next.html.trimEnd().endsWith('</html>')).toBe(true)
    },
  )

  test('goes on for others when its visitor leaves or does not read', async () => {
    const begun = Promise.withResolvers<void>()
    const text = 'x'.repeat(16 * 1024 * 1024)
    fail = async (state) => {
      begun.resolve()
      return { ...(await real.render(state)), pipe: (page) => void page.end(text) }
    }
    const deaf = await openSocket(site)
    deaf.pause().write(writeRequest('GET', '/services', { 'Accept-Encoding': 'gzip' }))
    await begun.promise
    const { html } = await load('/services', 'gzip')
    expect(html.includes(text)).toBe(true)
    expect(rendered).toEqual(['services fr'])
    deaf.destroy()
    await load('/', 'gzip')
    expect(site.logged.filter(({ level }) => Number(level) > 30)).toEqual([])
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
