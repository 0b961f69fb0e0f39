/** Takes pictures of the built site into dist/pictures: `npm run pictures`. With `--readme`, those of README.md into docs/pictures. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { MIN_FILL_MS } from '../shared/constants.ts'
import { LANGUAGES, type Language } from '../shared/language.ts'
import { provideHeadlessChromium, skipSplash } from './harness/browser.ts'
import { startProcess } from './harness/process.ts'

const ROOT = join(import.meta.dirname, '..')
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]
const README_PICTURES = ['home-fr-1440']
const MAX_BROWSER_CONTEXTS = 4
const HOLD_SPLASH = `
  for (const animation of document.querySelector('.splash').getAnimations()) animation.pause()`
/** Resolves when no animation runs; paused ones stay. */
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

interface Picture {
  name: string
  scene: Scene
  language: Language
  width: number
  height: number
}

/** Fills the form, waits as long as a person takes, and sends it. */
async function submitForm(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.locator(`#${name}`).fill(value)
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
    act: (page) => submitForm(page, { firstName: 'Zoé', email: 'zoe@exemple' }),
  },
  'contact-sent': {
    path: '/contact',
    act: (page) =>
      submitForm(page, {
        firstName: 'Zoé',
        lastName: 'Exemple',
        email: 'zoe@exemple.ca',
        message: `Bonjour, ${page.viewportSize()?.width} ${page.url()}`,
      }),
  },
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

const getFileName = ({ name, language, width }: Picture) => `${name}-${language}-${width}`
const all = Object.entries(SCENES).flatMap(([name, scene]) =>
  LANGUAGES.flatMap((language) => SIZES.map((size) => ({ name, scene, language, ...size }))),
)
const forReadme = process.argv.includes('--readme')
const folder = forReadme ? 'docs/pictures' : 'dist/pictures'
const pictures = forReadme
  ? all.filter((picture) => README_PICTURES.includes(getFileName(picture)))
  : all

const executablePath = provideHeadlessChromium()
if (!executablePath) throw new Error('No Chromium could be provided')
mkdirSync(join(ROOT, folder), { recursive: true })
const site = await startProcess([], { TRUST_PROXY: '1' })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })

/** Each picture has a browser context and an address of its own, so that no limit is reached. */
async function take(picture: Picture, visitor: number): Promise<void> {
  const { scene, language, width, height } = picture
  const context = await browser.newContext({
    viewport: { width, height },
    extraHTTPHeaders: { 'X-Forwarded-For': `192.0.2.${visitor}` },
  })
  const page = await context.newPage()
  if (!scene.hasBanner) {
    await page.addInitScript(() => localStorage.setItem('cookie-consent', 'necessary-only'))
  }
  await page.goto(`${site.url}${scene.path}?lang=${language}`, { waitUntil: 'domcontentloaded' })
  if (scene.hasSplash) await page.evaluate(HOLD_SPLASH)
  else await skipSplash(page)
  await scene.act?.(page)
  await page.evaluate(() => document.fonts.ready)
  await page.evaluate(ANIMATIONS_ENDED)
  const path = join(ROOT, folder, `${getFileName(picture)}.jpg`)
  await page.screenshot({ path, type: 'jpeg', quality: 70 })
  await context.close()
}

const waiting = [...pictures.entries()]

async function takeWaiting(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [index, picture] = next
    await take(picture, index + 1)
  }
}

try {
  await Promise.all(Array.from({ length: MAX_BROWSER_CONTEXTS }, takeWaiting))
  console.log(`${pictures.length} pictures in ${folder}`)
} finally {
  await browser.close()
  await site.stop()
}
