import { hasFonts, open } from '../../tools/harness/browser.ts'
import { browser, page, setUpVisits, site, visit } from '../support/visits.ts'
import { weigh } from '../support/weight.ts'
import { holdBack, stopClock } from './steps.ts'

const PHONE = { viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true }
const SPLASH_MS = 2500
const SPLASH_EXIT_MS = 500
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
    expect(files.filter(isFont)).toHaveLength(2)
    expect(shifted).toBeLessThan(0.001)
  },
)

test('the first paint starts the scripts and the clock of the splash', async () => {
  await slowSplash()
  // Remove the timeout of boot.ts, so that only the paint can start the scripts.
  await page.addInitScript(() => {
    const later = window.setTimeout.bind(window)
    const setTimeout = (run: () => void, delay?: number) => (delay === 1000 ? 0 : later(run, delay))
    Object.assign(window, { setTimeout })
  })
  await page.route('**/entry-client-*.js', () => {})
  const started = page.waitForRequest('**/entry-client-*.js')
  await page.goto(site.url)
  await started
  await page.waitForFunction(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    const [leaving] = document.getElementById('splash')?.getAnimations() ?? []
    return paint && leaving?.startTime === paint.startTime
  })
})

test('the browser parses each script once', async () => {
  await browser.startTracing(page, { categories: ['v8', 'disabled-by-default-v8.compile'] })
  await page.goto(site.url)
  await page.locator('.cookie-banner').waitFor()
  /** Times in µs. */
  const { traceEvents }: { traceEvents: { name: string; tid: number; ts: number; dur: number }[] } =
    JSON.parse(String(await browser.stopTracing()))
  const list = (name: string) => traceEvents.filter((event) => event.name === name)
  const evaluations = list('v8.evaluateModule')
  expect(evaluations).not.toEqual([])
  const repeated = list('V8.ParseProgram').filter(({ tid, ts }) =>
    evaluations.some((each) => each.tid === tid && ts > each.ts && ts < each.ts + each.dur),
  )
  expect(repeated).toEqual([])
})

test('scripts wait for the paint, a second at most, and fonts for the scripts', async () => {
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {}
  })
  await stopClock()
  const files = listFiles()
  await page.goto(site.url)
  await page.waitForLoadState('networkidle')
  // Only boot.ts is loaded; it waits for the paint, which the init script hides from it.
  expect(files.map((file) => weigh(new URL(file).pathname) < 650)).toEqual([true])
  const sendScript = await holdBack('**/entry-client-*.js')
  const scripts = page.waitForResponse('**/home-*.js')
  await page.clock.runFor(1000)
  await scripts
  expect(files.filter(isFont)).toEqual([])
  const fonts = page.waitForResponse('**/*.woff2')
  sendScript()
  await fonts
})

test('without JavaScript the fonts are loaded too', async () => {
  await visit({ javaScriptEnabled: false })
  const fonts: string[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'font') fonts.push(response.url())
  })
  await page.goto(site.url)
  while (fonts.length < 2) await page.waitForEvent('response')
  expect(new Set(fonts).size).toBe(2)
})

test('a page opened in the background is hydrated there', async () => {
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { get: () => true })
    PerformanceObserver.prototype.observe = () => {}
  })
  await stopClock()
  await open(page, site.url)
  await page.locator('.cookie-banner').waitFor()
})
