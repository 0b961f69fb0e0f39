import request from 'supertest'
import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { createFailingRenderer } from '../../support/site.ts'
import { get, setUpSite, startSite } from '../setup.ts'

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

test('another language is no 304', async () => {
  const etag = await getEtag('/')
  const headers = { 'If-None-Match': etag, Cookie: 'rg-language=en' }
  expect((await get('/', headers)).status).toBe(200)
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
