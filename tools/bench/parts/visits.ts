import type { Browser, Request } from 'playwright-core'
import type { PageId } from '../../../shared/pages.ts'
import { openBrowser, provideChromium } from '../../harness/browser.ts'
import { atMost, write } from '../figures.ts'
import { CONTENT, NOT_FOUND } from '../load.ts'
import { startSite } from '../processes.ts'
import type { Part } from '../rounds.ts'

interface Visit {
  /** Size of the scripts, in kB. */
  script: number
  /** In ms from the start of the visit. */
  firstPaint: number
  largestPaint: number
}

/** Duration of a visit before the measurement: longer than the splash. */
const VISIT_MS = 4000

function readPaints() {
  return new Promise<{ firstPaint: number; largestPaint: number }>((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const [first] = performance.getEntriesByName('first-contentful-paint')
      const largest = list.getEntries().at(-1)
      resolve({
        firstPaint: first?.startTime ?? Number.NaN,
        largestPaint: largest?.startTime ?? Number.NaN,
      })
    })
    observer.observe({ type: 'largest-contentful-paint', buffered: true })
  })
}

/** Visits a page on a phone-sized screen and lets the splash run to its end. */
async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } })
  try {
    const page = await context.newPage()
    const scripts: Request[] = []
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') scripts.push(request)
    })
    // The page must not load code while it is idle.
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
    // Only the first visitor of a page gets it in pieces, while it is rendered.
    await fetch(url)
    await page.goto(url)
    await page.waitForFunction((time) => performance.now() > time, VISIT_MS)
    await page.waitForLoadState('networkidle')
    const sizes = await Promise.all(scripts.map((script) => script.sizes()))
    const script = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize / 1000, 0)
    return { script, ...(await page.evaluate(readPaints)) }
  } finally {
    await context.close()
  }
}

/** Measures, for each page, the size of its scripts and the times of its paints. */
export const measure: Part = async ({ createFolder }) => {
  const site = await startSite({ folder: createFolder(), unpinned: true })
  const browser = await openBrowser(provideChromium())
  const visits: (Visit & { id: PageId; name: string })[] = []
  for (const { page, name, path } of [...CONTENT, ...NOT_FOUND]) {
    visits.push({ id: page.id, name, ...(await visit(browser, site.url + path)) })
  }
  await browser.close()
  await site.end()

  const findLargestScript = (id: PageId) =>
    Math.max(...visits.filter((each) => each.id === id).map(({ script }) => script))
  const delays = visits.map(({ firstPaint, largestPaint }) => largestPaint - firstPaint)
  return {
    title: 'Visits',
    how: 'a first visit with Chromium on a phone-sized screen, without the code that loads while the browser is idle; sizes in kB (1000 bytes) as sent, with brotli 11.',
    figures: [
      atMost('script until idle, home', findLargestScript('home'), 'kB', 80),
      atMost('script until idle, contact', findLargestScript('contact'), 'kB', 95),
      atMost(
        'LCP after the first paint, under the splash, worst page',
        Math.max(...delays),
        'ms',
        0,
      ),
    ],
    table: Object.fromEntries(
      visits.map(({ name, script, firstPaint, largestPaint }) => [
        name,
        {
          script: write(script, 'kB'),
          'first paint': write(firstPaint, 'ms'),
          LCP: write(largestPaint, 'ms'),
        },
      ]),
    ),
  }
}
