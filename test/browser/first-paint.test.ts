import { SPLASH_DURATION } from '../../shared/constants.ts'
import { type Browser, open, openBrowser, type Page } from '../../tools/harness/browser.ts'
import { type Site, startSite } from '../support/site.ts'
import { weigh } from '../support/weight.ts'

const PHONE = { viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true }
/** When the splash has gone, in ms. */
const LATER = 4000
/** Longer than the two calls that stop a clock may take. */
const HOUR = 3_600_000

let site: Site
let browser: Browser
beforeAll(async () => {
  site = await startSite({ realTime: true })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

/** What the browser notes of a page while it is loaded, until the splash has gone by itself. */
async function observe(page: Page, address: string) {
  await page.addInitScript(() => {
    const notes = { largest: 0, shifted: 0 }
    Object.assign(window, { notes })
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) notes.largest = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        notes.shifted += (entry as PerformanceEntry & { value: number }).value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(address)
  await page.waitForFunction((time) => performance.now() > time, LATER)
  return page.evaluate(() => {
    const { notes } = window as unknown as { notes: { largest: number; shifted: number } }
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    return { ...notes, painted: paint?.startTime ?? 0 }
  })
}

/** The files that a page asks for from now on. */
function listFiles(page: Page): string[] {
  const files: string[] = []
  page.on('request', (request) => {
    if (['font', 'script', 'stylesheet'].includes(request.resourceType())) files.push(request.url())
  })
  return files
}

/** From the next page on no timer fires, unless it is told to. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(HOUR)
}

test.each(['/', '/contact', '/politique-confidentialite'])(
  '%s paints its largest text under the splash, and the fonts move nothing',
  async (path) => {
    const page = await browser.newPage(PHONE)
    const files = listFiles(page)
    const { painted, largest, shifted } = await observe(page, site.url + path)
    expect(painted).toBeGreaterThan(0)
    expect(largest - painted).toBeLessThan(SPLASH_DURATION)
    expect(files.filter((file) => file.endsWith('.woff2'))).toHaveLength(2)
    expect(shifted).toBeLessThan(0.001)
    await page.close()
  },
)

test('scripts are not asked for before words have been painted', async () => {
  const page = await browser.newPage()
  const tell = 'tell'
  await page.addInitScript((name) => {
    class Observer {
      constructor(callback: PerformanceObserverCallback) {
        const entries = [{ name: 'first-contentful-paint' }]
        const list = {
          getEntriesByName: (name: string) => entries.filter((each) => each.name === name),
        }
        Object.assign(window, { [name]: () => callback(list as never, this as never) })
      }
      observe() {}
    }
    Object.assign(window, { PerformanceObserver: Observer })
  }, tell)
  await stopClock(page)
  const files = listFiles(page)
  await page.goto(site.url)
  await page.waitForLoadState('networkidle')
  const scripts = files.filter((file) => file.endsWith('.js'))
  // The one that waits for it.
  expect(scripts.map((file) => weigh(new URL(file).pathname) < 400)).toEqual([true])
  await page.evaluate((name) => (window as unknown as Record<string, () => void>)[name]?.(), tell)
  await page.waitForResponse('**/start-*.js')
  await page.close()
})

test('where the browser does not say that it paints, scripts come a second later', async () => {
  const page = await browser.newPage()
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {}
  })
  await stopClock(page)
  const files = listFiles(page)
  await page.goto(site.url)
  await page.waitForLoadState('networkidle')
  expect(files.filter((file) => file.endsWith('.js'))).toHaveLength(1)
  const loaded = page.waitForResponse('**/start-*.js')
  await page.clock.runFor(1000)
  await loaded
  await page.close()
})

test('fonts are not asked for in the frame of the first paint', async () => {
  const page = await browser.newPage()
  const tools = await page.context().newCDPSession(page)
  await tools.send('Animation.enable')
  await tools.send('Animation.setPlaybackRate', { playbackRate: 0 })
  const files = listFiles(page)
  await page.goto(site.url)
  await page.waitForLoadState('networkidle')
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((file) => file.endsWith('.woff2'))).toEqual([])
  const loaded = page.waitForResponse('**/*.woff2')
  await tools.send('Animation.setPlaybackRate', { playbackRate: 1 })
  await loaded
  await page.close()
})

test('without JavaScript the fonts come likewise', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const fonts: string[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'font') fonts.push(response.url())
  })
  await page.goto(site.url)
  await page.waitForLoadState('networkidle')
  expect(fonts).toHaveLength(2)
  await context.close()
})

test('a page that was opened in the background becomes alive there', async () => {
  const context = await browser.newContext()
  await context.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { get: () => true })
    PerformanceObserver.prototype.observe = () => {}
  })
  const page = await context.newPage()
  await stopClock(page)
  await open(page, site.url)
  await page.locator('.cookie-banner').waitFor()
  await context.close()
})
