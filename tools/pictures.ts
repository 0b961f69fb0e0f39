/** Takes the pictures of docs/pictures from the built site: `npm run pictures`. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { MINIMUM_FILL_TIME } from '../shared/constants.ts'
import { LANGUAGES, type Language } from '../shared/language.ts'
import { skipSplash } from './harness/browser.ts'
import { provideHeadlessChromium } from './harness/chromium.ts'
import { startProcess } from './harness/process.ts'

const FOLDER = join(import.meta.dirname, '../docs/pictures')
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]
const AT_ONCE = 4
/** Keeps the splash from leaving. */
const HELD = `
  for (const animation of document.querySelector('.splash').getAnimations()) animation.pause()`
/** Resolves when nothing moves any more but what is held. */
const SETTLED = `Promise.allSettled(
  document.getAnimations()
    .filter(({ playState }) => playState === 'running')
    .map(({ finished }) => finished),
).then(() => undefined)`

interface Scene {
  path: string
  /** Whether the cookie banner is still to be answered. */
  banner?: true
  /** Whether the splash stays. */
  splash?: true
  act?: (page: Page) => Promise<void>
}

interface Shot {
  name: string
  scene: Scene
  language: Language
  width: number
  height: number
}

const ripen = (page: Page) => page.waitForTimeout(MINIMUM_FILL_TIME + 500)
const submit = (page: Page) => page.locator('.contact-form button[type=submit]').click()

const SCENES: Record<string, Scene> = {
  home: { path: '/' },
  sector: { path: '/health-safety' },
  services: { path: '/services' },
  'contact-errors': {
    path: '/contact',
    async act(page) {
      await page.locator('#firstName').fill('Zoé')
      await page.locator('#email').fill('zoe@exemple')
      await ripen(page)
      await submit(page)
      await page.locator('.toast').waitFor()
    },
  },
  'contact-sent': {
    path: '/contact',
    async act(page) {
      const fields = { firstName: 'Zoé', lastName: 'Exemple', email: 'zoe@exemple.ca' }
      for (const [name, value] of Object.entries(fields)) await page.locator(`#${name}`).fill(value)
      await page.locator('#message').fill(`Bonjour, ${page.viewportSize()?.width} ${page.url()}`)
      await ripen(page)
      await submit(page)
      await page.locator('.toast').waitFor()
    },
  },
  privacy: { path: '/politique-confidentialite' },
  404: { path: '/test-404' },
  500: { path: '/test-500' },
  banner: {
    path: '/secteurs-activite',
    banner: true,
    act: (page) => page.locator('.cookie-banner summary').click(),
  },
  splash: { path: '/', splash: true },
}

const executablePath = provideHeadlessChromium()
if (!executablePath) throw new Error('No Chromium could be provided')
mkdirSync(FOLDER, { recursive: true })
const site = await startProcess([], { TRUST_PROXY: '1' })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })

/** A visitor of its own for each picture: nothing is remembered, and no limit is reached. */
async function take(shot: Shot, visitor: number): Promise<void> {
  const { name, scene, language, width, height } = shot
  const context = await browser.newContext({
    viewport: { width, height },
    extraHTTPHeaders: { 'X-Forwarded-For': `192.0.2.${visitor}` },
  })
  const page = await context.newPage()
  if (!scene.banner) {
    await page.addInitScript(() => localStorage.setItem('cookie-consent', 'necessary-only'))
  }
  await page.goto(`${site.url}${scene.path}?lang=${language}`, { waitUntil: 'domcontentloaded' })
  if (scene.splash) await page.evaluate(HELD)
  else await skipSplash(page)
  await scene.act?.(page)
  await page.evaluate(() => document.fonts.ready)
  await page.evaluate(SETTLED)
  const path = join(FOLDER, `${name}-${language}-${width}.jpg`)
  await page.screenshot({ path, type: 'jpeg', quality: 70 })
  await context.close()
}

const shots: Shot[] = Object.entries(SCENES).flatMap(([name, scene]) =>
  LANGUAGES.flatMap((language) => SIZES.map((size) => ({ name, scene, language, ...size }))),
)
const waiting = [...shots.entries()]

async function takeSome(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [index, shot] = next
    await take(shot, index + 1)
  }
}

try {
  await Promise.all(Array.from({ length: AT_ONCE }, takeSome))
  console.log(`${shots.length} pictures in docs/pictures`)
} finally {
  await browser.close()
  await site.stop()
}
