import { hasFonts, open } from '../../tools/harness/browser.ts'
import { addScript, browser, page, revisit, setUpVisits, site, visit } from '../support/visits.ts'
import { weigh } from '../support/weight.ts'

const PHONE = { viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true }
const SPLASH_MS = 2500
const SPLASH_EXIT_MS = 500
/** Maximum size of the scripts and the texts of one language in bytes, with brotli: before the page is idle, and in all. */
const MAX_BYTES = 112_000
const MAX_ALL_BYTES = 137_000
/** The splash ends 3 s after the first paint, which comes within 1 s. */
const AFTER_SPLASH_MS = 4000

setUpVisits()

/**
 * Measures paints until the splash has ended by itself, and the layout shifts that the fonts cause: they come when the page
 * is painted whole.
 */
async function observe(address: string) {
  const whole = Promise.withResolvers<void>()
  await page.route('**/*.woff2', async (route) => {
    await whole.promise
    await route.continue()
  })
  await page.addInitScript(() => {
    const notes = { largest: 0, shifted: 0, wholeSince: Infinity }
    Object.assign(window, { notes })
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) notes.largest = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { startTime, value } = entry as PerformanceEntry & { value: number }
        if (startTime > notes.wholeSince) notes.shifted += value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(address, { waitUntil: 'domcontentloaded' })
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    const { notes } = window as unknown as { notes: { wholeSince: number } }
    notes.wholeSince = performance.now()
  })
  whole.resolve()
  await page.waitForFunction((time) => performance.now() > time, AFTER_SPLASH_MS)
  await page.waitForFunction(hasFonts)
  return page.evaluate(() => {
    const { notes } = window as unknown as { notes: { largest: number; shifted: number } }
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    return { ...notes, painted: paint?.startTime ?? 0 }
  })
}

/** Lists the fonts, scripts and style sheets that the page requests from now on. */
function listFiles(): string[] {
  const files: string[] = []
  page.on('request', (request) => {
    if (['font', 'script', 'stylesheet'].includes(request.resourceType())) files.push(request.url())
  })
  return files
}

const weighAll = (files: string[]) =>
  files.map((file) => weigh(new URL(file).pathname)).reduce((sum, each) => sum + each)
const isFont = (file: string) => file.endsWith('.woff2')

test('the scripts stay within their budget, and those of toasts and tooltips come when the page is idle', async () => {
  await revisit()
  await addScript(() => {
    window.requestIdleCallback = (becomeIdle) => {
      Object.assign(window, { becomeIdle })
      return 0
    }
  })
  const files = listFiles()
  const scripts = () => files.filter((file) => file.endsWith('.js'))
  await open(page, site.url)
  await page.waitForLoadState('networkidle')
  expect(weighAll(scripts())).toBeLessThan(MAX_BYTES)
  await page.evaluate(() => (window as unknown as { becomeIdle(): void }).becomeIdle())
  await page.locator('[role=region]').waitFor({ state: 'attached' })
  expect(weighAll(scripts())).toBeLessThan(MAX_ALL_BYTES)
})

test('where all scripts are blocked, styles and fonts come, and nothing is shown that needs a script', async () => {
  await revisit()
  await page.route('**/*.js', (route) => route.abort())
  const styles = page.waitForResponse('**/later-*.css')
  await page.goto(`${site.url}/public-safety`)
  await styles
  await page.waitForFunction(hasFonts)
  await page.locator('#splash').waitFor({ state: 'hidden' })
  expect(await page.locator('.needs-script:visible').count()).toBe(0)
})

test('a page opened in the background is hydrated there', async () => {
  await revisit()
  await addScript(() => {
    window.requestAnimationFrame = () => 0
  })
  await open(page, site.url)
  await page.locator('.cookie-banner').waitFor()
})

test('the splash leaves after 2.5 s, within 0.5 s', async () => {
  await visit()
  const inspector = await page.context().newCDPSession(page)
  await inspector.send('Animation.enable')
  // Otherwise the splash may be over before a busy machine paints.
  await inspector.send('Animation.setPlaybackRate', { playbackRate: 0.01 })
  await page.goto(site.url)
  const timing = await page
    .locator('#splash')
    .evaluate((splash) => splash.getAnimations()[0]?.effect?.getTiming())
  expect(timing).toMatchObject({ delay: SPLASH_MS, duration: SPLASH_EXIT_MS })
})

test('neither the later styles, nor the hydration, nor the end of the splash calculates the styles of the whole page again', async () => {
  await visit()
  const later = Promise.withResolvers<void>()
  await page.route(/later-.*\.css|\.js$/, async (route) => {
    await later.promise
    await route.continue()
  })
  await page.goto(site.url, { waitUntil: 'commit' })
  await page.locator('footer').waitFor()
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  })
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
  later.resolve()
  await page.locator('.cookie-banner').waitFor()
  const trace: { traceEvents: { args: { elementCount?: number } }[] } = JSON.parse(
    String(await browser.stopTracing()),
  )
  const counts = trace.traceEvents.flatMap(({ args }) => args.elementCount ?? [])
  const all = await page.locator('body *').count()
  expect(Math.max(...counts)).toBeGreaterThan(0)
  expect(Math.max(...counts)).toBeLessThan(all / 2)
})

test.each(['/', '/contact?lang=en'])(
  '%s paints its largest text under the splash, and the fonts move nothing',
  async (path) => {
    await visit(PHONE)
    const files = listFiles()
    const { painted, largest, shifted } = await observe(site.url + path)
    expect(painted).toBeGreaterThan(0)
    expect(largest - painted).toBeLessThan(SPLASH_MS)
    const fonts = files.filter(isFont)
    expect(fonts).toHaveLength(3)
    expect(fonts[0]).toContain('public-sans-latin-400')
    expect(shifted).toBeLessThan(0.001)
  },
)
