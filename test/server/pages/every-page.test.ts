import request from 'supertest'
import { LANGUAGES, LOCALES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { type Site, startSite } from '../../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const get = (path: string) => request(site.url).get(path).redirects(0)
const addresses = [
  ...pages.flatMap(({ path, status }) => (path ? [{ path, status }] : [])),
  { path: '/no-such-page', status: 404 },
]
const titleIn = (html: string) => /<title>([^<]+)<\/title>/.exec(html)?.[1]

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(addresses)('$path answers $status with a whole page', async ({ path, status }) => {
    const { text, headers, status: answered } = await get(`${path}?lang=${language}`)
    expect(answered).toBe(status)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(text).toContain(`<html lang="${LOCALES[language]}"`)
    expect(text.match(/<h1/g)).toHaveLength(1)
    expect(text.match(/<meta name="description" content="[^"]{50,}"/g)).toHaveLength(1)
    const scripts = [...text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)
    for (const script of scripts)
      expect(script).toMatch(/ src="\/assets\/|type="application\/(?:ld\+)?json"/)
    expect(text.trimEnd()).toMatch(/<\/html>$/)
  })

  test('every page has a title of its own', async () => {
    const own = addresses.filter(({ path, status }) => status === 200 && path !== '/privacy-policy')
    const titles = await Promise.all(
      own.map(async ({ path }) => titleIn((await get(`${path}?lang=${language}`)).text)),
    )
    expect(new Set(titles).size).toBe(own.length)
  })
})
