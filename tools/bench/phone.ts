import type { Page } from 'playwright-core'
import { openBrowser, provideChromium } from '../harness/browser.ts'
import { startSite } from './processes.ts'
import type { PartParts } from './rounds.ts'

/** Repeats a visit on a simulated phone, each time with a new profile. */
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
