import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createStaticFiles } from '../../server/pages/static-files.ts'
import { type Browser, open, openBrowser, type Page, watch } from '../../tools/harness/browser.ts'
import { startSite } from '../support/site.ts'

const CLIENT = join(import.meta.dirname, '../../dist/client')

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** Starts a site that adds a byte to each tampered script, and counts the requests of every script. */
async function startTampered(isTampered: (path: string) => boolean) {
  const requests = new Map<string, number>()
  const files = await createStaticFiles(CLIENT)
  const site = await startSite({
    parts: {
      async files(req, res, next) {
        if (!req.path.endsWith('.js')) return files(req, res, next)
        requests.set(req.path, (requests.get(req.path) ?? 0) + 1)
        if (!isTampered(req.path)) return files(req, res, next)
        res.type('text/javascript').end(`${await readFile(join(CLIENT, req.path), 'utf8')} `)
      },
    },
  })
  return { site, requests }
}

const SCRIPT = /<(script|link rel="modulepreload")[^>]* (?:src|href)="([^"]+\.js)"/g

/** The scripts of a document: the boot script, the entry, then the preloaded scripts. */
async function findScripts(address: string): Promise<string[]> {
  const html = await (await fetch(address)).text()
  const tags = [...html.matchAll(SCRIPT)].map(([, tag, path = '']) => ({ tag, path }))
  const paths = tags
    .toSorted((one, other) => Number(other.tag === 'script') - Number(one.tag === 'script'))
    .map(({ path }) => path)
  return [...new Set(paths)]
}

/** React marks the element that it hydrated. */
const findHydrated = (page: Page) =>
  page
    .locator('#root')
    .evaluate((root) => Object.keys(root).some((key) => key.startsWith('__reactContainer')))

test('every script of a page is loaded once', async () => {
  const { site, requests } = await startTampered(() => false)
  const page = await browser.newPage()
  const noise = watch(page)
  await open(page, `${site.url}/contact`)
  await page.waitForLoadState('networkidle')
  const named = await findScripts(`${site.url}/contact`)
  expect(named.length).toBeGreaterThan(1)
  expect(named.filter((path) => requests.get(path) !== 1)).toEqual([])
  expect([...requests].filter(([, times]) => times > 1)).toEqual([])
  expect(await findHydrated(page)).toBe(true)
  expect(noise).toEqual([])
  await page.close()
  await site.stop()
})

test.each([
  ['the boot script', 0],
  ['the entry', 1],
  ['the first preloaded script', 2],
  ['the last one', -1],
])('a changed byte in %s is refused, and the page stays readable', async (_name, index) => {
  let tampered: string | undefined
  const { site, requests } = await startTampered((path) => path === tampered)
  tampered = (await findScripts(site.url)).at(index)
  const page = await browser.newPage()
  const noise = watch(page)
  const refused = page.waitForEvent('console', (message) => message.text().includes('integrity'))
  await page.goto(site.url)
  await refused
  await page.waitForLoadState('networkidle')
  expect(requests.has(tampered ?? '')).toBe(true)
  expect(noise.join('\n')).toMatch(/Failed to find a valid digest in the 'integrity' attribute/)
  expect(await page.locator('h1').textContent()).not.toBe('')
  expect(await findHydrated(page)).toBe(false)
  await page.close()
  await site.stop()
})
