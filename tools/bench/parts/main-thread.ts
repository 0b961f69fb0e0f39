import { setTimeout as wait } from 'node:timers/promises'
import { openBrowser, provideChromium } from '../../harness/browser.ts'
import { type TraceEvent, traceVisit } from '../../harness/trace.ts'
import { atMost } from '../figures.ts'
import { startSite } from '../processes.ts'
import { measurePages, type Part } from '../rounds.ts'

const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
}
/** A phone takes this many times the processor time of this machine. */
const FACTOR = 4
/** After this time, the splash has ended and the banner is open. */
const VISIT_MS = 6000
const LONG_MS = 50

/** Estimates the processor time on a phone, in ms, of each task after the first contentful paint. */
function listTasks(events: TraceEvent[]): number[] {
  const paint = events.find(({ name }) => name === 'firstContentfulPaint')?.ts ?? 0
  return events
    .filter(({ name, ts }) => name === 'ThreadControllerImpl::RunTask' && ts > paint)
    .map(({ tdur = 0 }) => (tdur * FACTOR) / 1000)
}

async function measurePage(address: string) {
  const browser = await openBrowser(provideChromium())
  const page = await browser.newPage(PHONE)
  const events = await traceVisit(browser, page, address, () => wait(VISIT_MS))
  await browser.close()
  const long = listTasks(events).filter((task) => task > LONG_MS)
  return {
    blocking: long.reduce((sum, task) => sum + task - LONG_MS, 0),
    longest: Math.max(0, ...long),
  }
}

export const measure: Part = async ({ pace, createFolder }) => {
  const site = await startSite({ folder: createFolder(), unpinned: true })
  const { listMedians } = await measurePages(pace.starts, (path) => measurePage(site.url + path))
  await site.end()
  return {
    title: 'Main thread of a phone',
    how: `processor time of the main thread from a trace, times ${FACTOR}; tasks after the first contentful paint; total blocking time is the time of each above ${LONG_MS} ms, added up; ${pace.starts} visits of every content page in both languages; the highest median.`,
    figures: [
      atMost('total blocking time', Math.max(...listMedians('blocking')), 'ms', 60),
      atMost('longest task', Math.max(...listMedians('longest')), 'ms', 75),
    ],
  }
}
