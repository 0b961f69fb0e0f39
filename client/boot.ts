import textFont from '@fonts/text.woff2'
import titleFont from '@fonts/titles.woff2'
import './styles/index.css'

const INTERRUPTIONS = ['keydown', 'click', 'pointerdown', 'wheel', 'touchstart']

/** Maximum wait for the first paint, because some browsers do not report it. */
const PAINT_TIMEOUT_MS = 1000

/** A step may fail, for example in an old browser. The page works without it. */
async function tryStep(step: () => unknown): Promise<void> {
  try {
    await step()
  } catch {}
}

/** Takes all animations of the page, because the splash has some in the hero too. */
const getSplash = () => document.getElementById('root')?.getAnimations({ subtree: true }) ?? []

function endSplash(): void {
  for (const animation of getSplash()) animation.finish()
}

function endSplashAtInput(): void {
  const end = () => tryStep(endSplash)
  for (const name of INTERRUPTIONS) addEventListener(name, end, { once: true, passive: true })
  // End the splash if the visitor pressed a key, clicked or touched before this script ran.
  if (navigator.userActivation?.hasBeenActive) end()
}

/** CSS starts the splash shortly before the first paint, so the visitor would miss its beginning. */
function startSplashAt(time: number): void {
  for (const animation of getSplash())
    if (animation.playState === 'running') animation.startTime = time
}

/** Waits for the first contentful paint, at most PAINT_TIMEOUT_MS. requestAnimationFrame would run before the paint. */
function waitForPaint(): Promise<unknown> | undefined {
  // A hidden tab does not paint.
  if (document.hidden) return undefined
  return new Promise((resolve) => {
    setTimeout(resolve, PAINT_TIMEOUT_MS)
    new PerformanceObserver((list) => {
      const [paint] = list.getEntriesByName('first-contentful-paint')
      if (!paint) return
      tryStep(() => startSplashAt(paint.startTime))
      resolve(list)
    }).observe({ type: 'paint', buffered: true })
  })
}

/** Resolves when client/entry-client.tsx has run, or could not be loaded. */
function loadScripts(): Promise<unknown> | undefined {
  const rest = document.querySelector<HTMLTemplateElement>('#after-paint')?.content
  const script = rest?.querySelector('script')
  if (!rest || !script) return undefined
  return new Promise((resolve) => {
    script.onload = resolve
    script.onerror = resolve
    document.head.append(rest)
  })
}

/** Adds both fonts together, so that the browser lays out the text again only once. */
async function loadFonts(): Promise<void> {
  const titles = new FontFace('Bricolage Grotesque', `url(${titleFont})`, { weight: '680' })
  const text = new FontFace('Public Sans', `url(${textFont})`, { weight: '400 600' })
  for (const font of await Promise.all([titles.load(), text.load()])) document.fonts.add(font)
}

/** Scripts and fonts must not delay the first paint. If a file cannot be loaded, the browser logs that. */
async function boot(): Promise<void> {
  for (const step of [endSplashAtInput, waitForPaint, loadScripts, loadFonts]) await tryStep(step)
}

boot()
