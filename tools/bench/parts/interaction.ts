import type { Page } from 'playwright-core'
import { open } from '../../harness/browser.ts'
import { atMost, median } from '../figures.ts'
import { visitByPhone } from '../phone.ts'
import type { Part } from '../rounds.ts'

/** Time to wait after a tap; by then, the browser has reported the interaction. */
const REPORT_MS = 700
const SUBMIT = '.contact-form button[type=submit]'

/** Taps, in the order of a visit to the contact page. */
const TAPS = {
  banner: '.cookie-banner .actions button:first-child',
  'language toggle': '.language-toggle button',
  'failed submit': SUBMIT,
  submit: SUBMIT,
  menu: '.menu summary',
  'nav link': '.nav a[href="/services"]',
}

/** Measures ms from each tap to the next frame; 0 means less than 16 ms. */
async function visit(page: Page, url: string): Promise<Record<string, number>> {
  await page.addInitScript(() => {
    const durations: number[] = []
    Object.assign(window, { takeLongest: () => Math.max(0, ...durations.splice(0)) })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) durations.push(duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  const takeLongest = async () => {
    await page.waitForTimeout(REPORT_MS)
    return page.evaluate<number>('takeLongest()')
  }
  await open(page, `${url}/contact`)
  const times: Record<string, number> = {}
  for (const [name, selector] of Object.entries(TAPS)) {
    if (name === 'submit')
      for (const id of ['firstName', 'lastName', 'email', 'message'])
        await page.locator(`#${id}`).fill(`n${Date.now()}@exemple.ca`)
    await takeLongest()
    await page.locator(selector).tap()
    times[name] = await takeLongest()
  }
  return times
}

export const measure: Part = async (parts) => {
  const visits = await visitByPhone(parts, visit)
  return {
    title: 'Interaction',
    how: `the longest event of a tap on the contact page (Event Timing), with a processor 4 times slower; the median of ${visits.length} visits.`,
    figures: Object.keys(TAPS).map((name) =>
      atMost(`tap, ${name}`, median(visits.map((times) => times[name] ?? Number.NaN)), 'ms', 150),
    ),
  }
}
