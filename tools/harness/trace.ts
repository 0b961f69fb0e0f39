import type { Browser, Page } from './browser.ts'

/** An event of a browser's trace; times in µs. */
export interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  dur?: number
}

const CATEGORIES = ['toplevel', 'loading', 'v8', 'disabled-by-default-v8.compile']

/** Opens the address and traces the main thread of its page until `isOver` resolves. */
export async function traceVisit(
  browser: Browser,
  page: Page,
  address: string,
  isOver: () => Promise<unknown>,
): Promise<TraceEvent[]> {
  await browser.startTracing(page, { categories: CATEGORIES })
  await page.goto(address)
  await isOver()
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
    traceEvents: TraceEvent[]
  }
  const paint = traceEvents.find(({ name }) => name === 'firstContentfulPaint')
  if (!paint) throw new Error(`${address} was not painted`)
  return traceEvents
    .filter(({ pid, tid }) => pid === paint.pid && tid === paint.tid)
    .toSorted((one, other) => one.ts - other.ts)
}
