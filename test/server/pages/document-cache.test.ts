import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import request from 'supertest'
import type { Renderer } from '../../../server/pages/renderer.ts'
import {
  exchange,
  exchangeBytes,
  openSocket,
  until,
  writeRequest,
} from '../../../tools/harness/raw-client.ts'
import { createFailingRenderer } from '../../support/renderers.ts'
import { NOON, type Site, startSite } from '../../support/site.ts'

let site: Site
let rendered: string[]
beforeEach(async () => {
  const real = await createFailingRenderer()
  rendered = []
  const renderer: Renderer = {
    ...real,
    render(state, onError) {
      rendered.push(`${state.page} ${state.language}`)
      return real.render(state, onError)
    },
  }
  site = await startSite({ parts: { renderer } })
})
afterEach(() => site.stop())

const get = (path: string) => request(site.url).get(path).set('Accept-Encoding', 'identity')

async function body(path: string, encoding: string): Promise<Buffer> {
  const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`
  const bytes = await exchangeBytes(site, `${head}Accept-Encoding: ${encoding}\r\n\r\n`)
  return bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)
}

test('a page is rendered once for each language, and is the same in every encoding', async () => {
  const first = (await get('/services')).text
  const again = await get('/services')
  expect(again.text).toBe(first)
  expect(again.headers['content-length']).toBe(String(Buffer.byteLength(first)))
  expect(again.headers.vary).toBe('Accept-Encoding')
  expect(brotliDecompressSync(await body('/services', 'br')).toString()).toBe(first)
  expect(gunzipSync(await body('/services', 'gzip')).toString()).toBe(first)
  await get('/services?lang=en')
  expect((await get('/services?lang=en')).headers).toHaveProperty('content-length')
  expect(rendered).toEqual(['services fr', 'services en'])
})

/** Several requests in one piece, so that all are there before any is answered. */
const SEVERAL = [
  ...Array(2).fill(writeRequest('GET', '/services', { Connection: 'keep-alive' })),
  writeRequest('GET', '/services'),
].join('')

async function startSlow(proceed: Promise<unknown>) {
  const real = await createFailingRenderer()
  rendered = []
  const renderer: Renderer = {
    ...real,
    async render(state, onError) {
      rendered.push(state.page)
      await proceed
      return real.render(state, onError)
    },
  }
  await site.stop()
  site = await startSite({ parts: { renderer } })
}

const countAnswers = (text: string) => text.match(/^HTTP\/1\.1 200 /gm)?.length

test('a page that several visitors ask for at once is rendered once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await startSlow(promise)
  const answers = exchange(site, SEVERAL)
  await until(() => rendered.length > 0)
  resolve()
  expect(countAnswers(await answers)).toBe(3)
  expect(rendered).toEqual(['services'])
})

test('when the first visitor leaves, the page is rendered for the next one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await startSlow(promise)
  const socket = await openSocket(site)
  socket.write(writeRequest('GET', '/services'))
  await until(() => rendered.length === 1)
  const answers = exchange(site, SEVERAL)
  socket.destroy()
  await until(() => site.logged.some(({ left }) => left))
  resolve()
  expect(countAnswers(await answers)).toBe(3)
  expect(rendered).toEqual(['services', 'services'])
})

test('unknown paths share one page, which does not name them', async () => {
  const first = await get('/a-secret-path')
  const second = await get('/another?x=1')
  expect([first.status, second.status]).toEqual([404, 404])
  expect(second.text).toBe(first.text)
  expect(first.text).not.toContain('secret')
  expect(rendered).toEqual(['not-found fr'])
})

test('the contact page has the time of each answer, in every encoding', async () => {
  const timeIn = (html: string) => /name="formStartTime" value="(\d+)"/.exec(html)?.[1]
  expect(timeIn((await get('/contact')).text)).toBe(String(NOON))
  site.clock.time += 61_000
  const later = String(NOON + 61_000)
  const { text } = await get('/contact')
  expect(timeIn(text)).toBe(later)
  expect(text).toContain(`"formStartTime":"${later}"`)
  expect(timeIn(brotliDecompressSync(await body('/contact', 'br')).toString())).toBe(later)
  expect(rendered).toEqual(['contact fr'])
})

test('a page with a visitor’s input is never cached', async () => {
  const post = (name: string) =>
    request(site.url).post('/contact').type('form').send({ firstName: name })
  expect((await post('Aurélie')).text).toContain('value="Aurélie"')
  const { text } = await post('Bérénice')
  expect(text).toContain('value="Bérénice"')
  expect(text).not.toContain('Aurélie')
  expect((await get('/contact')).text).not.toContain('Aurélie')
})

test('a page that could not be rendered is tried again', async () => {
  await site.stop()
  site = await startSite({ parts: { renderer: await createFailingRenderer('services') } })
  expect((await get('/services')).status).toBe(500)
  expect((await get('/services')).status).toBe(500)
  expect((await get('/')).status).toBe(200)
  expect((await get('/')).text).toContain('<h1')
})
