import type { Page } from 'playwright-core'
import { atMost, median } from '../figures.ts'
import { visitByPhone } from '../phone.ts'
import type { Part } from '../rounds.ts'

const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 2e5, uploadThroughput: 9e4 }
const LIMITS_S = { '/': 1.2, '/contact': 1.5 }

/** Clicks a header link every 25 ms; `handled` resolves once React handles a click. No click loads a document. */
function clickUntilHandled(): void {
  const { promise, resolve } = Promise.withResolvers<number>()
  Object.assign(window, { handled: promise })
  window.addEventListener('click', (event) => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    if (event.defaultPrevented && paint) resolve((performance.now() - paint.startTime) / 1000)
    event.preventDefault()
  })
  setInterval(() => document.querySelector<HTMLElement>('.nav a[href="/services"]')?.click(), 25)
}

/** The time in s from the first paint until the client handles links. */
async function visit(page: Page, address: string): Promise<number> {
  const tools = await page.context().newCDPSession(page)
  await tools.send('Network.emulateNetworkConditions', SLOW_4G)
  await page.addInitScript(clickUntilHandled)
  await page.goto(address)
  return page.evaluate<number>('handled')
}

export const measure: Part = async (parts) => {
  const figures = []
  for (const [path, most] of Object.entries(LIMITS_S)) {
    const times = await visitByPhone(parts, (page, url) => visit(page, url + path))
    figures.push(atMost(`first paint to client routing, ${path}`, median(times), 's', most))
  }
  return {
    title: 'Interactive',
    how: `from the first paint until a click on a link is handled without a new document; slow 4G (150 ms, 1.6 Mbit/s), a processor 4 times slower, the median of ${parts.pace.repeats} visits.`,
    figures,
  }
}
