import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Renderer } from '../../../server/pages/renderer.ts'
import { exchange, openSocket, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import { createFailingRenderer } from '../../support/renderers.ts'
import {
  getBytes,
  get as load,
  NOON,
  restartSite,
  sendForm,
  setUpSitePerTest,
  site,
} from '../setup.ts'

const real = await createFailingRenderer()
let rendered: string[]
/** The rendering waits for this promise; `delay` replaces it. */
let proceed: Promise<unknown>
beforeEach(() => {
  rendered = []
  proceed = Promise.resolve()
})
const renderer: Renderer = {
  ...real,
  async render(state, onError) {
    rendered.push(`${state.page} ${state.language}`)
    await proceed
    return real.render(state, onError)
  },
}
setUpSitePerTest({ parts: { renderer } })

const get = (path: string) => load(path, { 'Accept-Encoding': 'identity' })

test('a page is rendered once for each language, and is the same in every encoding', async () => {
  const first = (await get('/services')).text
  const again = await get('/services')
  expect(again.text).toBe(first)
  expect(again.headers['content-length']).toBe(String(Buffer.byteLength(first)))
  expect(again.headers.vary).toBe('Accept-Encoding')
  expect(brotliDecompressSync(await getBytes('/services', 'br')).toString()).toBe(first)
  expect(gunzipSync(await getBytes('/services', 'gzip')).toString()).toBe(first)
  await get('/services?lang=en')
  expect((await get('/services?lang=en')).headers).toHaveProperty('content-length')
  expect(rendered).toEqual(['services fr', 'services en'])
})

/** Several requests in one write, so that all arrive before the first answer. */
const SEVERAL = [
  ...Array(2).fill(writeRequest('GET', '/services', { Connection: 'keep-alive' })),
  writeRequest('GET', '/services'),
].join('')

/** Delays the rendering until the returned function is called. */
function delay(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  proceed = promise
  return resolve
}

const countAnswers = (text: string) => text.match(/^HTTP\/1\.1 200 /gm)?.length

test('a page that several visitors ask for at once is rendered once', async () => {
  const render = delay()
  const answers = exchange(site, SEVERAL)
  await until(() => rendered.length > 0)
  render()
  expect(countAnswers(await answers)).toBe(3)
  expect(rendered).toEqual(['services fr'])
})

test('when the first visitor leaves, the page is rendered for the next one', async () => {
  const render = delay()
  const socket = await openSocket(site)
  socket.write(writeRequest('GET', '/services'))
  await until(() => rendered.length === 1)
  const answers = exchange(site, SEVERAL)
  socket.destroy()
  await until(() => site.logged.some(({ left }) => left))
  render()
  expect(countAnswers(await answers)).toBe(3)
  expect(rendered).toEqual(['services fr', 'services fr'])
})

test('unknown paths share one page, which does not name them', async () => {
  const first = await get('/a-secret-path')
  const second = await get('/another?x=1')
  expect([first.status, second.status]).toEqual([404, 404])
  expect(second.text).toBe(first.text)
  expect(first.text).not.toContain('secret')
  expect(rendered).toEqual(['not-found fr'])
})

const timesIn = (html: string | Buffer) =>
  [...`${html}`.matchAll(/"(1[78]\d{11})"/g)].map(([, t]) => t)
const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }

test('the contact page has the time of each answer, in every encoding', async () => {
  expect(timesIn((await get('/contact')).text)).toEqual([String(NOON), String(NOON)])
  // At first the site compresses each answer. Later it inserts the uncompressed time between cached, compressed parts.
  for (const isKept of [false, true]) {
    for (const [encoding, decode] of Object.entries(DECODERS)) {
      if (isKept) {
        await until(async () =>
          (await getBytes('/contact', encoding)).includes(`${site.clock.time}`),
        )
      }
      for (const step of [61_000, 1, 987_654_321]) {
        site.clock.time += step
        const time = String(site.clock.time)
        const { text } = await get('/contact')
        expect(timesIn(text)).toEqual([time, time])
        expect(decode(await getBytes('/contact', encoding)).toString()).toBe(text)
      }
    }
  }
  expect(rendered).toEqual(['contact fr'])
})

test('a page with a visitor’s input is never cached', async () => {
  const { text: first } = await sendForm({ firstName: 'Aurélie', message: '' })
  expect(first).toContain('value="Aurélie"')
  const { text } = await sendForm({ firstName: 'Bérénice', message: '' })
  expect(text).toContain('value="Bérénice"')
  expect(text).not.toContain('Aurélie')
  expect((await get('/contact')).text).not.toContain('Aurélie')
})

test('a page that could not be rendered is tried again', async () => {
  await restartSite({ parts: { renderer: await createFailingRenderer('services') } })
  expect((await get('/services')).status).toBe(500)
  expect((await get('/services')).status).toBe(500)
  expect((await get('/')).status).toBe(200)
  expect((await get('/')).text).toContain('<h1')
})
