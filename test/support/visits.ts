import type { BrowserContextOptions, Disposable, Request } from 'playwright-core'
import { MIN_FILL_MS } from '../../shared/contact-fields.ts'
import {
  type Browser,
  type BrowserContext,
  openBrowser,
  type Page,
  watch,
} from '../../tools/harness/browser.ts'
import { openSite, type Site } from './site.ts'

/** A file's tests share `site` and `browser`; visit() replaces `context` and `page`. */
export let site: Site
export let browser: Browser
export let context: BrowserContext
export let page: Page
/** Console errors and warnings (CSP violations too) and uncaught errors of the page. */
export let noise: string[]

/** The errors that pages of this visit have reported to the site. */
export let reports: Record<string, unknown>[]

/** Collects the errors that browsers report to the site. */
export function watchReports(through: BrowserContext | Page): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = []
  through.on('request', (request: Request) => {
    if (request.url().endsWith('/api/browser-errors')) found.push(request.postDataJSON())
  })
  return found
}

/** True while the next revisit() may use the page of the last one. */
let isShared = false
const scripts: Disposable[] = []

/** Runs a script in each document before its own scripts, until the next visit begins. */
export const addScript: Page['addInitScript'] = async (...script) => {
  const added = await page.addInitScript(...script)
  scripts.push(added)
  return added
}

/** Registers the hooks: they start and stop the site and the browser. */
export function setUpVisits(environment: Record<string, string> = {}): void {
  beforeAll(async () => {
    site = await openSite({ realTime: true, environment })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await site.stop()
  })
}

/** Ends the last visit and begins a new one: an empty browser profile with one empty page. Tests may share a visit. */
export async function visit(options: BrowserContextOptions = {}): Promise<void> {
  await context?.close()
  scripts.length = 0
  isShared = false
  context = await browser.newContext({ viewport: { width: 1024, height: 640 }, ...options })
  // On a busy machine, a page may not be painted for longer than Playwright's 30 s.
  context.setDefaultTimeout(60_000)
  await context.addInitScript(() => {
    const now = performance.now.bind(performance)
    let ahead = 0
    performance.now = () => now() + ahead
    Object.assign(window, { passTime: (duration: number) => (ahead += duration) })
  })
  page = await context.newPage()
  noise = watch(page)
  reports = watchReports(context)
}

/**
 * Begins a visit in the page of the last revisit(), with empty stores: a new page would need four times the CPU time. Nothing
 * moves, if `reducedMotion` is not 'no-preference'. A test that installs a clock calls visit().
 */
export async function revisit(
  viewport = { width: 1024, height: 640 },
  reducedMotion: 'reduce' | 'no-preference' = 'reduce',
): Promise<void> {
  if (!isShared) await visit()
  isShared = true
  await page.unrouteAll()
  await Promise.all(scripts.splice(0).map((script) => script.dispose()))
  await page.setViewportSize(viewport)
  await page.emulateMedia({ reducedMotion, forcedColors: null, colorScheme: null })
  for (const tab of context.pages()) if (tab !== page) await tab.close()
  await page.goto(`${site.url}/robots.txt`)
  await page.evaluate(() => localStorage.clear())
  await context.clearCookies()
  noise.length = 0
  reports.length = 0
}

/** Advances the clocks of the site and of the page; call `page.clock.install()` first. */
export async function pass(duration: number): Promise<void> {
  site.clock.time += duration
  await page.clock.fastForward(duration)
}

/** Moves the clocks of the site and of the page: if not told otherwise, past MIN_FILL_MS. */
export async function ripen(duration = MIN_FILL_MS + 100): Promise<void> {
  site.clock.time += duration
  await page.evaluate((passed) => {
    const { passTime } = window as { passTime?: (duration: number) => void }
    passTime?.(passed)
  }, duration)
}
