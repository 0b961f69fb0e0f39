import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Renderer } from '../../../server/app.ts'
import { openSocket, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import { createFailingRenderer } from '../../support/site.ts'
import {
  getBytes,
  get as load,
  NOON,
  restartSite,
  send,
  sendForm,
  setUpSitePerTest,
  site,
} from '../setup.ts'

const real = await createFailingRenderer()
let rendered: string[]
beforeEach(() => {
  rendered = []
})
const renderer: Renderer = {
  ...real,
  render(state) {
    rendered.push(`${state.page} ${state.language}`)
    return real.render(state)
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

test('an answer becomes as small as brotli can make it', async () => {
  const smallest = brotliCompressSync((await get('/services')).text)
  await until(async () => (await getBytes('/services', 'br')).length < 1.02 * smallest.length)
})

test('a first visitor who does not read keeps nobody waiting', async () => {
  const render = async () => 'x'.repeat(256 * 64 * 1024)
  await restartSite({ parts: { renderer: { build: 'large', render } } })
  const socket = await openSocket(site)
  socket.pause()
  socket.write(writeRequest('GET', '/services', { 'Accept-Encoding': 'identity' }))
  const known = await until(async () => {
    const { headers } = await get('/services')
    return headers['content-length']
  })
  expect(known).toBe(String(256 * 64 * 1024))
  // The first visitor is still connected: the site did not close that connection.
  expect(site.logged.filter(({ left }) => left)).toEqual([])
  socket.destroy()
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

test('the time in the contact page is at most 100 ms old and never ahead, in every encoding', async () => {
  expect(timesIn((await get('/contact')).text)).toEqual([String(NOON), String(NOON)])
  for (const [encoding, decode] of Object.entries(DECODERS)) {
    for (const step of [1, 98, 1, 50, 61_000, -5_001]) {
      site.clock.time += step
      const [time, ...others] = timesIn(decode(await getBytes('/contact', encoding)))
      const age = site.clock.time - Number(time)
      expect(age).toBeGreaterThanOrEqual(0)
      expect(age).toBeLessThan(100)
      expect(others).toEqual([time])
    }
  }
})

test('each confirmation has its own reference and time', async () => {
  const references = [(await send()).body.reference, (await send()).body.reference]
  for (const reference of [...references, ...references]) {
    site.clock.time += 1000
    const { text } = await get(`/contact?sent=${reference}`)
    expect(text).toContain(`${reference}</strong>`)
    expect(text.match(/RG-\w{5}-\w{5}/g)).toEqual(Array(3).fill(reference))
    expect(timesIn(text)).toContain(String(site.clock.time))
  }
})

test('a page with a visitor’s input is never cached', async () => {
  const { text: first } = await sendForm({ firstName: 'Aurélie', message: '' })
  expect(first).toContain('value="Aurélie"')
  const { text } = await sendForm({ firstName: 'Bérénice', message: '' })
  expect(text).toContain('value="Bérénice"')
  expect(text).not.toContain('Aurélie')
  expect((await get('/contact')).text).not.toContain('Aurélie')
})
