import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, openBrowser, provideChromium } from '../../harness/browser.ts'
import { type TraceEvent, traceVisit } from '../../harness/trace.ts'
import { atMost, median } from '../figures.ts'
import { CONTENT } from '../load.ts'
import { startSite } from '../processes.ts'
import type { Part } from '../rounds.ts'

const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
}
/** A phone takes this many times the processor time of this machine. */
const FACTOR = 4
/** The splash has ended and the banner is open. */
const VISIT_MS = 6000
const LONG_MS = 50

/** Durations on a phone, in ms, of the tasks after the first contentful paint. */
function listTasks(events: TraceEvent[]): number[] {
  const paint = events.find(({ name }) => name === 'firstContentfulPaint')?.ts ?? 0
  return events
    .filter(({ name, ts }) => name === 'ThreadControllerImpl::RunTask' && ts > paint)
    .map(({ tdur = 0 }) => (tdur * FACTOR) / 1000)
}

async function measurePage(browser: Browser, address: string) {
  const context = await browser.newContext(PHONE)
  const events = await traceVisit(browser, await context.newPage(), address, () => wait(VISIT_MS))
  await context.close()
  const long = listTasks(events).filter((task) => task > LONG_MS)
  return {
    blocking: long.reduce((sum, task) => sum + task - LONG_MS, 0),
    longest: Math.max(0, ...long),
  }
}

export const measure: Part = async ({ pace, createFolder }) => {
  const site = await startSite({ folder: createFolder(), unpinned: true })
  const table: Record<string, Record<string, string>> = {}
  const medians = { blocking: 0, longest: 0 }
  for (const { name, path } of CONTENT) {
    const runs: { blocking: number; longest: number }[] = []
    for (let count = 0; count < pace.starts; count++) {
      const browser = await openBrowser(provideChromium())
      runs.push(await measurePage(browser, site.url + path))
      await browser.close()
    }
    const row: Record<string, string> = {}
    for (const figure of ['blocking', 'longest'] as const) {
      const values = runs.map((run) => run[figure])
      medians[figure] = Math.max(medians[figure], median(values))
      row[figure] =
        `${median(values).toFixed(0)} (${values.map((value) => value.toFixed(0)).join(' ')})`
    }
    table[name] = row
  }
  await site.end()
  return {
    title: 'Main thread of a phone',
    how: `processor time of the main thread from a trace, times ${FACTOR}; tasks after the first contentful paint, the time of each above ${LONG_MS} ms added up; ${pace.starts} visits of every content page in both languages, each in a new browser; the highest median of a page.`,
    figures: [
      atMost('time in long tasks', medians.blocking, 'ms', 60),
      atMost('longest task', medians.longest, 'ms', 75),
    ],
    table,
  }
}
