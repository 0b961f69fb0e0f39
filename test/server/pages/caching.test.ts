import request from 'supertest'
import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { createFailingRenderer } from '../../support/site.ts'
import { get, openSite, setUpSite } from '../setup.ts'

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
  addresses.push('/contact?service=francophone')
  const etags = await Promise.all(addresses.map((address) => getEtag(address)))
  expect(new Set(etags).size).toBe(addresses.length)
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
])('another %s makes another ETag', async (name, environment) => {
  const renderer = { ...(await createFailingRenderer()), build: 'another' }
  const parts = name === 'build' ? { renderer } : undefined
  const other = await openSite({ environment: { ...ORIGIN, ...environment }, parts })
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
