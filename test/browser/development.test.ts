import { type Browser, open, openBrowser, watch } from '../helpers/browser.ts'
import { type SiteProcess, startProcess } from '../helpers/process.ts'

let site: SiteProcess
let browser: Browser
beforeAll(async () => {
  site = await startProcess(['--dev'])
  browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser.close()
  expect(await site.stop()).toBe(0)
}, 30_000)

// React says only in its development build where server and browser differ.
test.each([
  ['fr', 'en'],
  ['en', 'fr'],
])(
  'with cookie %s and storage %s pages hydrate without a word',
  async (cookie, storage) => {
    const context = await browser.newContext()
    await context.addCookies([{ name: 'rg-language', value: cookie, url: site.url }])
    await context.addInitScript((value) => localStorage.setItem('rg-language', value), storage)
    const page = await context.newPage()
    const noise = watch(page)
    for (const path of [
      '/',
      '/services',
      '/contact',
      '/public-safety',
      '/politique-confidentialite',
    ]) {
      await open(page, site.url + path)
      await page.waitForFunction((lang) => document.documentElement.lang === lang, `${storage}-CA`)
    }
    expect(noise).toEqual([])
    await context.close()
  },
  60_000,
)
