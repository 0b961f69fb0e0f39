/** `npm run pictures` saves screenshots in dist/pictures; with `-- --readme`, those of README.md in docs/pictures. */
import { mkdirSync } from 'node:fs'
import { chromium, type Page, type ViewportSize } from 'playwright-core'
import { MIN_FILL_MS } from '../shared/constants.ts'
import { LANGUAGES } from '../shared/language.ts'
import { hasFonts, provideHeadlessChromium, skipSplash } from './harness/browser.ts'
import { startSiteProcess } from './harness/process.ts'

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]
const README_PICTURES = ['home-fr-1440']
const HOLD_SPLASH = `
  for (const animation of document.querySelector('.splash').getAnimations({ subtree: true }))
    animation.pause()`
/** Resolves when all running animations have ended; ignores paused animations. */
const ANIMATIONS_ENDED = `Promise.allSettled(
  document.getAnimations()
    .filter(({ playState }) => playState === 'running')
    .map(({ finished }) => finished),
).then(() => undefined)`

interface Scene {
  path: string
  hasBanner?: true
  hasSplash?: true
  act?: (page: Page) => Promise<void>
}

const FIELDS = {
  firstName: 'Zoé',
  lastName: 'Roy',
  email: 'zoe@exemple.ca',
  message: 'Bonjour à tous',
}

async function submitForm(page: Page, other: Partial<typeof FIELDS> = {}): Promise<void> {
  const values = { ...FIELDS, ...other }
  for (const [name, value] of Object.entries(values)) await page.locator(`#${name}`).fill(value)
  await page.waitForTimeout(MIN_FILL_MS + 500)
  await page.locator('.contact-form button[type=submit]').click()
  await page.locator('.toast').waitFor()
}

const SCENES: Record<string, Scene> = {
  home: { path: '/' },
  sector: { path: '/health-safety' },
  services: { path: '/services' },
  'contact-errors': {
    path: '/contact',
    act: (page) => submitForm(page, { email: 'zoe@exemple', message: '' }),
  },
  'contact-sent': { path: '/contact', act: (page) => submitForm(page) },
  privacy: { path: '/politique-confidentialite' },
  404: { path: '/test-404' },
  500: { path: '/test-500' },
  banner: {
    path: '/secteurs-activite',
    hasBanner: true,
    act: (page) => page.locator('.cookie-banner summary').click(),
  },
  splash: { path: '/', hasSplash: true },
}

const forReadme = process.argv.includes('--readme')
const folder = forReadme ? 'docs/pictures' : 'dist/pictures'

const executablePath = provideHeadlessChromium()
if (!executablePath)
  throw new Error('Chromium is missing and could not be installed; see the output above')
process.chdir(`${import.meta.dirname}/..`)
mkdirSync(folder, { recursive: true })
const site = await startSiteProcess({ environment: { TRUST_PROXY: '1' } })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
let visitors = 0

/** Each picture has its own IP address, so that no limit of the site is reached. */
async function take(file: string, scene: Scene, language: string, viewport: ViewportSize) {
  visitors += 1
  const context = await browser.newContext({
    viewport,
    extraHTTPHeaders: { 'X-Forwarded-For': `192.0.2.${visitors}` },
  })
  const page = await context.newPage()
  if (!scene.hasBanner) {
    await page.addInitScript(() => localStorage.setItem('cookie-consent', 'necessary-only'))
  }
  await page.goto(`${site.url}${scene.path}?lang=${language}`, { waitUntil: 'domcontentloaded' })
  if (scene.hasSplash) await page.evaluate(HOLD_SPLASH)
  else await skipSplash(page)
  await scene.act?.(page)
  await page.waitForFunction(hasFonts)
  await page.evaluate(ANIMATIONS_ENDED)
  await page.screenshot({ path: `${folder}/${file}.jpg`, type: 'jpeg', quality: 70 })
  await context.close()
}

try {
  for (const [name, scene] of Object.entries(SCENES)) {
    const pictures = LANGUAGES.flatMap((language) =>
      SIZES.map((size) => ({ language, size, file: `${name}-${language}-${size.width}` })),
    ).filter(({ file }) => !forReadme || README_PICTURES.includes(file))
    await Promise.all(pictures.map(({ file, language, size }) => take(file, scene, language, size)))
  }
  console.log(`${visitors} pictures in ${folder}`)
} finally {
  await browser.close()
  await site.stop()
}
