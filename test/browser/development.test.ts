import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, open, openBrowser, watch } from '../../tools/harness/browser.ts'
import { type SiteProcess, startSiteProcess } from '../../tools/harness/process.ts'
import { ROOT } from '../../tools/harness/project.ts'
import { exchange, writeRequest } from '../../tools/harness/raw-client.ts'

let site: SiteProcess
let browser: Browser
beforeAll(async () => {
  site = await startSiteProcess({ args: ['--dev'] })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  expect(await site.stop()).toBe(0)
  const errors = site.logged.filter(({ level }) => Number(level) >= 50)
  expect(
    errors.filter(({ text }) => !/outside of Vite serving allow list/.test(`${text}`)),
  ).toEqual([])
})

// Only React's development build reports every hydration mismatch, for instance that of an attribute.
test.each([
  ['fr', 'en'],
  ['en', 'fr'],
])('with cookie %s and storage %s pages hydrate without a warning', async (cookie, storage) => {
  const context = await browser.newContext()
  await context.addCookies([{ name: 'rg-language', value: cookie, url: site.url }])
  await context.addInitScript((value) => localStorage.setItem('rg-language', value), storage)
  const page = await context.newPage()
  const noise = watch(page)
  for (const path of ['/', '/contact', '/public-safety', '/politique-confidentialite']) {
    await open(page, site.url + path)
    await page.waitForFunction((lang) => document.documentElement.lang === lang, storage)
  }
  expect(noise).toEqual([])
  await context.close()
})

test('a published file is served as in production', async () => {
  const { headers } = await fetch(`${site.url}/icon.svg`)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'cross-origin-resource-policy': 'cross-origin',
  })
})

test('the connection that reloads edited modules uses the port of the site', async () => {
  const page = await browser.newPage()
  const answered = new Promise<string>((resolve) => {
    page.on('websocket', (socket) => socket.on('framereceived', () => resolve(socket.url())))
  })
  await page.goto(site.url)
  expect(new URL(await answered).host).toBe(new URL(site.url).host)
  await page.close()
})

const PREFIXES = [
  ROOT,
  `/@fs${ROOT}`,
  `/@fs${ROOT}/client/..`,
  `/@fs${ROOT}/client/%2e%2e`,
  `/@id${ROOT}`,
  `/@id/__x00__${ROOT}`,
  '/..',
  '/%2e%2e',
]
const QUERIES = ['', '?raw', '?url', '?import', '?import&raw', '?url&inline', '?import&url', '?v=1']

test.each(['package.json', 'server/main.js', 'README.md', 'compose.yaml'])(
  'serves sources of the client only, not %s, in whichever way it is asked for',
  async (file) => {
    const text = readFileSync(join(ROOT, file))
    // Vite changes a script or a JSON file that it serves, and inlines a file as base64.
    const parts = [/[a-z][\w -]{11,}/.exec(text.toString())?.[0], text.toString('base64', 0, 24)]
    const paths = PREFIXES.flatMap((prefix) => QUERIES.map((query) => `${prefix}/${file}${query}`))
    for (const path of paths) {
      const answer = await exchange(site, writeRequest('GET', path))
      expect({ path, leaks: parts.filter((part) => part && answer.includes(part)) }).toEqual({
        path,
        leaks: [],
      })
    }
  },
)
