import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import { type Browser, open, openBrowser } from '../helpers/browser.ts'
import { type Site, startSite } from '../helpers/site.ts'
import { findGrowth, findModules, readWeights, weigh } from '../helpers/weight.ts'

let site: Site
let browser: Browser
beforeAll(async () => {
  site = await startSite({ realTime: true })
  browser = await openBrowser()
}, 30_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

const { budgets, modules } = readWeights()
const paths = pages.flatMap(({ path }) => path ?? [])

/** The scripts that a browser loads of a page until it is alive and idle. */
async function findScripts(path: string): Promise<string[]> {
  const page = await browser.newPage()
  const scripts = new Set<string>()
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      scripts.add(new URL(response.url()).pathname)
  })
  await open(page, site.url + path)
  await page.locator('.cookie-banner').waitFor()
  await page.waitForLoadState('networkidle')
  await page.close()
  return [...scripts]
}

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(paths)(
    '%s keeps its budget of script',
    async (path) => {
      const scripts = await findScripts(`${path}?lang=${language}`)
      const bytes = scripts.map(weigh).reduce((sum, each) => sum + each, 0)
      const over = bytes - (budgets[path] ?? 0)
      const grown = over > 0 ? findGrowth(findModules(scripts), modules) : []
      // What stands here is too heavy by so many bytes, and why.
      expect({ over: Math.max(0, over), grown }).toEqual({ over: 0, grown: [] })
      expect(bytes).toBeGreaterThan(50_000)
    },
    20_000,
  )
})

test('no budget is above what the site promises', () => {
  expect(budgets['/']).toBeLessThanOrEqual(85_000)
  expect(budgets['/contact']).toBeLessThanOrEqual(105_000)
  expect(Object.keys(budgets).sort()).toEqual([...paths].sort())
})

test('a module that grows or comes in is named, the one that grew most first', () => {
  const before = { react: 100, router: 50, 'client/app.tsx': 10 }
  const after = { react: 101, router: 50, 'client/app.tsx': 9, lodash: 500 }
  expect(findGrowth(after, before)).toEqual([
    'lodash: new, +500 characters',
    'react: +1 characters',
  ])
})
