import { chromium } from 'playwright-core'
import type { PageId } from '../../../shared/pages.ts'
import { provideChromium } from '../../harness/chromium.ts'
import { type Address, CONTENT, NOT_FOUND } from '../addresses.ts'
import { write } from '../figures.ts'
import type { Part } from '../main.ts'
import { startSite } from '../processes.ts'
import { type Kind, type Visit, visit } from '../visit.ts'

const COLUMNS: Kind[] = ['html', 'style', 'script', 'data', 'font']

/** What a real Chromium loads of each page, and when it paints. */
export const measure: Part = async ({ createFolder }) => {
  const executablePath = provideChromium()
  if (!executablePath) throw new Error('No Chromium could be provided')
  const site = await startSite({ folder: createFolder(), unpinned: true })
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  const addresses = [...CONTENT, ...NOT_FOUND]
  const visits = new Map<Address, Visit>()
  for (const address of addresses) {
    visits.set(address, await visit(browser, site.url + address.path))
  }
  await browser.close()
  await site.end()

  const getVisit = (address: Address) => visits.get(address) as Visit
  const scriptOf = (id: PageId) =>
    Math.max(
      ...addresses
        .filter(({ page }) => page.id === id)
        .map((address) => getVisit(address).sizes.script),
    )
  const lateness = [...visits.values()].map((each) => each.largestPaint - each.firstPaint)
  return {
    title: 'What a visitor loads',
    how: 'A first visit with real Chromium on a phone-sized window, with an empty cache, until nothing loads any more and the splash has left by itself; bodies in kB (1000 bytes), text compressed with brotli 11 whatever the server sent, fonts as they are. CSS that travels in the HTML counts there. Paint times are a PerformanceObserver’s, read after 4 s; the largest content is painted first where both are the same.',
    figures: [
      { name: 'script, home', value: scriptOf('home'), unit: 'kB', limit: { most: 85 } },
      { name: 'script, contact', value: scriptOf('contact'), unit: 'kB', limit: { most: 105 } },
      {
        name: 'LCP after the first paint, under the splash, worst page',
        value: Math.max(...lateness),
        unit: 'ms',
        limit: { most: 0 },
      },
    ],
    tables: [
      {
        head: ['page', ...COLUMNS, 'in all', 'first paint', 'LCP'],
        rows: addresses.map((address) => {
          const { sizes, firstPaint, largestPaint } = getVisit(address)
          const columns = COLUMNS.map((kind) => sizes[kind])
          const all = columns.reduce((sum, size) => sum + size)
          return [
            address.name,
            ...[...columns, all].map((size) => write(size, 'kB')),
            ...[firstPaint, largestPaint].map((time) => write(time, 'ms')),
          ]
        }),
      },
    ],
  }
}
