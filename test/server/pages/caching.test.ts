import request from 'supertest'
import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { createFailingRenderer } from '../../support/renderers.ts'
import { type Site, startSite } from '../../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({ environment: { PUBLIC_URL: 'https://www.exemple.ca' } })
})
afterAll(() => site.stop())

const get = (path: string, headers: Record<string, string> = {}, from = site) =>
  request(from.url).get(path).set(headers)
const found = pages.flatMap(({ path, status }) => (path && status === 200 ? [path] : []))
const etagOf = async (path: string, from = site) => (await get(path, {}, from)).headers.etag ?? ''

test.each(found)('%s answers 304 to a visitor who has it', async (path) => {
  const etag = await etagOf(path)
  expect(etag).toMatch(/^W\/"[\w-]{20,}"$/)
  const { status, text, headers } = await get(path, { 'If-None-Match': etag })
  expect(status).toBe(304)
  expect(text).toBe('')
  expect(headers.etag).toBe(etag)
  expect(headers['cache-control']).toBe('private, no-cache')
})

test('no two pages, and no two languages of a page, have the same ETag', async () => {
  const addresses = found.flatMap((path) => LANGUAGES.map((each) => `${path}?lang=${each}`))
  const etags = await Promise.all(addresses.map((address) => etagOf(address)))
  expect(new Set(etags).size).toBe(addresses.length)
})

test('the language of the cookie makes the same page as the one in the address', async () => {
  const { headers } = await get('/', { Cookie: 'rg-language=en' })
  expect(headers.etag).toBe(await etagOf('/?lang=en'))
})

test('another language is no 304', async () => {
  const etag = await etagOf('/')
  const headers = { 'If-None-Match': etag, Cookie: 'rg-language=en' }
  expect((await get('/', headers)).status).toBe(200)
})

test.each(['/test-404', '/test-500', '/no-such-page', '/%zz'])(
  '%s keeps its status with If-None-Match, too',
  async (path) => {
    const { status, headers } = await get(path)
    const again = await get(path, { 'If-None-Match': headers.etag ?? '*' })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(again.status).toBe(status)
  },
)

test.each([
  ['the limit', { PUBLIC_URL: 'https://www.exemple.ca', CONTACT_LIMIT: '3' }],
  ['the window', { PUBLIC_URL: 'https://www.exemple.ca', CONTACT_WINDOW_MINUTES: '30' }],
  ['the time to keep', { PUBLIC_URL: 'https://www.exemple.ca', RETENTION_DAYS: '90' }],
  ['the quarantine', { PUBLIC_URL: 'https://www.exemple.ca', QUARANTINE_DAYS: '7' }],
  ['the origin', { PUBLIC_URL: 'https://exemple.ca' }],
])('another value of %s makes another ETag', async (_name, environment) => {
  const other = await startSite({ environment })
  const etag = await etagOf('/contact', other)
  await other.stop()
  expect(etag).not.toBe(await etagOf('/contact'))
})

test('another build makes another ETag', async () => {
  const renderer = { ...(await createFailingRenderer()), build: 'another' }
  const environment = { PUBLIC_URL: 'https://www.exemple.ca' }
  const other = await startSite({ environment, parts: { renderer } })
  const etag = await etagOf('/', other)
  await other.stop()
  expect(etag).not.toBe(await etagOf('/'))
})
