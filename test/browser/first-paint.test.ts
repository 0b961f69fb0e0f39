import { hasFonts, open, skipSplash } from '../../tools/harness/browser.ts'
import { page, setUpVisits, site, visit } from '../support/visits.ts'
import { weigh } from '../support/weight.ts'

const PHONE = { viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true }
const SPLASH_MS = 2500
const SPLASH_EXIT_MS = 500
/** Maximum size of all scripts and the texts of one language in bytes, with brotli. */
const MAX_BYTES = 137_000
/** The splash ends 3 s after the first paint, which comes within 1 s. */
const AFTER_SPLASH_MS = 4000

setUpVisits()
beforeEach(() => visit())

/** Measures paints and layout shifts until the splash has ended by itself. */
async function observe(address: string) {
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

const isFont = (file: string) => file.endsWith('.woff2')

/** The splash is not over before a busy machine paints. */
async function slowSplash(): Promise<void> {
  const inspector = await page.context().newCDPSession(page)
  await inspector.send('Animation.enable')
  await inspector.send('Animation.setPlaybackRate', { playbackRate: 0.01 })
}

test('the splash leaves after 2.5 s, within 0.5 s', async () => {
  await slowSplash()
  await page.goto(site.url)
  const timing = await page
    .locator('#splash')
    .evaluate((splash) => splash.getAnimations()[0]?.effect?.getTiming())
  expect(timing).toMatchObject({ delay: SPLASH_MS, duration: SPLASH_EXIT_MS })
})

test.each([
  { time: SPLASH_MS - 1000, moving: [] },
  { time: SPLASH_MS - 500, moving: [] },
  { time: SPLASH_MS + 200, moving: ['opacity'] },
])('$time ms after its start, the splash changes $moving in every frame', async (splash) => {
  await slowSplash()
  await page.goto(site.url)
  // Other properties would keep the page's thread busy.
  const moving = await page.evaluate((time) => {
    const animations = document.getAnimations()
    if (animations.length === 0) throw new Error('there is no splash')
    for (const animation of animations) animation.currentTime = time
    const running = animations.filter(({ playState, effect }) => {
      const { delay = 0, progress } = effect?.getComputedTiming() ?? {}
      return playState === 'running' && time >= delay && progress !== null
    })
    const keyframes = running.flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes())
    const names = keyframes.flatMap((keyframe) => Object.keys(keyframe))
    return [...new Set(names)].filter((name) => !/offset|easing|composite/i.test(name))
  }, splash.time)
  expect(moving).toEqual(splash.moving)
})

test.each(['/', '/contact', '/politique-confidentialite', '/public-safety?lang=en'])(
  '%s paints its largest text under the splash, and the fonts move nothing',
  async (path) => {
    await visit(PHONE)
    const files = listFiles()
    const { painted, largest, shifted } = await observe(site.url + path)
    expect(painted).toBeGreaterThan(0)
    expect(largest - painted).toBeLessThan(SPLASH_MS)
    expect(files.filter(isFont)).toHaveLength(3)
    expect(shifted).toBeLessThan(0.001)
  },
)

test('scripts wait for the first paint, and those that nobody needs at once for an idle moment', async () => {
  await page.addInitScript(() => {
    const waiting: (() => void)[] = []
    const wait = (run: () => void) => waiting.push(run)
    const go = () => {
      for (const run of waiting.splice(0)) run()
    }
    const later = window.setTimeout.bind(window)
    // Without the timeout of entry-client.ts, so that only the paint can start the scripts.
    const setTimeout = (run: () => void, delay?: number) => (delay === 1000 ? 0 : later(run, delay))
    Object.assign(window, {
      requestAnimationFrame: wait,
      requestIdleCallback: wait,
      setTimeout,
      go,
    })
  })
  const go = () => page.evaluate(() => (window as unknown as { go(): void }).go())
  const files = listFiles()
  const scripts = () => files.filter((file) => file.endsWith('.js'))
  await page.goto(site.url)
  await page.waitForLoadState('networkidle')
  expect(scripts()).toHaveLength(1)
  await go()
  await skipSplash(page)
  await page.waitForLoadState('networkidle')
  const before = scripts().length
  const overlays = page.waitForResponse('**/overlays-*.js')
  await go()
  await overlays
  await page.locator('[role=region]').waitFor({ state: 'attached' })
  expect(scripts().length).toBe(before + 1)
  const bytes = scripts().map((file) => weigh(new URL(file).pathname))
  expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(MAX_BYTES)
})

test('where all scripts are blocked, styles and fonts come, and nothing is shown that needs a script', async () => {
  await page.route('**/*.js', (route) => route.abort())
  const styles = page.waitForResponse('**/later-*.css')
  await page.goto(`${site.url}/public-safety`)
  await styles
  await page.waitForFunction(hasFonts)
  await page.locator('#splash').waitFor({ state: 'hidden' })
  expect(await page.locator('.needs-script:visible').count()).toBe(0)
})

test('without JavaScript the fonts are loaded too', async () => {
  await visit({ javaScriptEnabled: false })
  const fonts: string[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'font') fonts.push(response.url())
  })
  await page.goto(site.url)
  while (fonts.length < 3) await page.waitForEvent('response')
  expect(new Set(fonts).size).toBe(3)
})

test('a page opened in the background is hydrated there', async () => {
  await page.addInitScript(() => {
    window.requestAnimationFrame = () => 0
  })
  await open(page, site.url)
  await page.locator('.cookie-banner').waitFor()
})
