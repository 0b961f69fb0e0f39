import type { Browser, Request } from 'playwright-core'
import type { PageId } from '../../../shared/pages.ts'
import { openBrowser, provideChromium } from '../../harness/browser.ts'
import { atMost, write } from '../figures.ts'
import { CONTENT, NOT_FOUND } from '../load.ts'
import { startSite } from '../processes.ts'
import type { Part } from '../rounds.ts'

/** Duration of a visit before the measurement: longer than the splash. */
const VISIT_MS = 4000

/** Resolves to the size of a page's scripts in kB. */
async function visit(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } })
  try {
    const page = await context.newPage()
    const scripts: Request[] = []
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') scripts.push(request)
    })
    // Do not count scripts that load while the browser is idle.
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
    // Fetch the page first: the site streams a page's first answer and sends later answers from its cache.
    await fetch(url)
    await page.goto(url)
    await page.waitForFunction((time) => performance.now() > time, VISIT_MS)
    await page.waitForLoadState('networkidle')
    const sizes = await Promise.all(scripts.map((script) => script.sizes()))
    return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize / 1000, 0)
  } finally {
    await context.close()
  }
}

export const measure: Part = async ({ createFolder }) => {
  const site = await startSite({ folder: createFolder(), unpinned: true })
  const browser = await openBrowser(provideChromium())
  const visits: { id: PageId; name: string; script: number }[] = []
  for (const { page, name, path } of [...CONTENT, ...NOT_FOUND]) {
    visits.push({ id: page.id, name, script: await visit(browser, site.url + path) })
  }
  await browser.close()
  await site.end()

  const findLargestScript = (id: PageId) =>
    Math.max(...visits.filter((each) => each.id === id).map(({ script }) => script))
  return {
    title: 'Visits',
    how: 'a first visit with Chromium on a phone-sized screen, without the code that loads while the browser is idle; sizes in kB (1000 bytes) as sent, with brotli 11.',
    figures: [
      atMost('script until idle, home', findLargestScript('home'), 'kB', 80),
      atMost('script until idle, contact', findLargestScript('contact'), 'kB', 95),
    ],
    table: Object.fromEntries(
      visits.map(({ name, script }) => [name, { script: write(script, 'kB') }]),
    ),
  }
}
