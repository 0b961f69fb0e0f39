import type { BrowserContextOptions } from 'playwright-core'
import { MINIMUM_FILL_TIME } from '../../shared/constants.ts'
import {
  type Browser,
  type BrowserContext,
  openBrowser,
  type Page,
  watch,
} from '../../tools/harness/browser.ts'
import { type Site, startSite } from './site.ts'

/** What a file of browser tests works with: one site and one browser, and for each test the visit it began last. */
export let site: Site
export let browser: Browser
export let context: BrowserContext
export let page: Page
/** What the page has said on its console, reports against the policy included, and what went wrong in it. */
export let noise: string[]

/** Registers what starts and ends the site and the browser, and ends each test's visit. */
export function setUpVisits(environment: Record<string, string> = {}): void {
  beforeAll(async () => {
    site = await startSite({ realTime: true, environment })
    browser = await openBrowser()
  })
  afterEach(() => context?.close())
  afterAll(async () => {
    await browser.close()
    await site.stop()
  })
}

/** Begins a visit, and ends the one before: a browser that knows nothing, with one empty page. */
export async function visit(options: BrowserContextOptions = {}): Promise<void> {
  await context?.close()
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  await context.addInitScript(() => {
    const now = performance.now.bind(performance)
    let ahead = 0
    performance.now = () => now() + ahead
    Object.assign(window, { passTime: (duration: number) => (ahead += duration) })
  })
  page = await context.newPage()
  noise = watch(page)
}

/** Lets time pass on the site and in a page whose clock is the test's: `page.clock.install()` stands before it. */
export async function pass(duration: number): Promise<void> {
  site.clock.time += duration
  await page.clock.fastForward(duration)
}

/** Moves the clocks of the site and of the page, so that an open form was open for long enough to be sent. */
export async function ripen(): Promise<void> {
  const duration = MINIMUM_FILL_TIME + 100
  site.clock.time += duration
  await page.evaluate((passed) => {
    const { passTime } = window as { passTime?: (duration: number) => void }
    passTime?.(passed)
  }, duration)
}
