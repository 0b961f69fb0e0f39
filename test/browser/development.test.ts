import { type Browser, open, openBrowser, watch } from '../../tools/harness/browser.ts'
import { type SiteProcess, startSiteProcess } from '../../tools/harness/process.ts'

let site: SiteProcess
let browser: Browser
beforeAll(async () => {
  site = await startSiteProcess({ args: ['--dev'] })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  expect(await site.stop()).toBe(0)
  expect(site.logged.filter(({ level }) => Number(level) >= 50)).toEqual([])
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
})
