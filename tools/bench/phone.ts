import type { Page } from 'playwright-core'
import { openBrowser, provideChromium } from '../harness/browser.ts'
import { startSite } from './processes.ts'
import type { PartParts } from './rounds.ts'

/** Visits the site `pace.repeats` times, each with a new profile, on a simulated phone with a CPU 4 times slower. */
export async function visitByPhone<T>(
  { pace, createFolder }: PartParts,
  visit: (page: Page, url: string) => Promise<T>,
): Promise<T[]> {
  const site = await startSite({
    folder: createFolder(),
    unpinned: true,
    environment: { CONTACT_LIMIT: '1000' },
  })
  const browser = await openBrowser(provideChromium())
  const results: T[] = []
  for (let run = 0; run < pace.repeats; run++) {
    const viewport = { width: 412, height: 823 }
    const page = await browser.newPage({ viewport, isMobile: true, hasTouch: true })
    const tools = await page.context().newCDPSession(page)
    await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    results.push(await visit(page, site.url))
    await page.close()
  }
  await browser.close()
  await site.end()
  return results
}
