import type { BrowserContextOptions } from 'playwright-core'
import { type Browser, type BrowserContext, openBrowser, type Page, watch } from './browser.ts'
import { type Site, startSite } from './site.ts'

/** What a file of browser tests works with: one site and one browser, and for each test the visit it began last. */
export let site: Site
export let browser: Browser
export let context: BrowserContext
export let page: Page
/** What the page has said on its console, reports against the policy included, and what went wrong in it. */
export let noise: string[]
/** How far the site's clock is ahead of the machine's, in ms. */
let ahead = 0

/** Registers what starts and ends the site and the browser, and ends each test's visit. */
export function setUpVisits(environment: Record<string, string> = {}): void {
  beforeAll(async () => {
    const now = () => Date.now() + ahead
    site = await startSite({ realTime: true, environment, parts: { now } })
    browser = await openBrowser()
  }, 30_000)
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
  page = await context.newPage()
  noise = watch(page)
}

export function passOnSite(duration: number): void {
  ahead += duration
}

/** Lets time pass on the site and in a page whose clock is the test's: `page.clock.install()` stands before it. */
export async function pass(duration: number): Promise<void> {
  passOnSite(duration)
  await page.clock.fastForward(duration)
}
