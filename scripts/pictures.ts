/** Takes the pictures of docs/pictures from the built site: `npm run pictures`. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { LANGUAGES } from '../shared/language.ts'
import { startProcess } from '../test/helpers/process.ts'
import { provideChromium } from './chromium.ts'

const FOLDER = join(import.meta.dirname, '../docs/pictures')
const WIDTHS = { 390: 844, 1440: 900 }

interface Scene {
  path: string
  /** Whether the cookie banner is still to be answered. */
  banner?: true
  /** Whether the splash stays. */
  splash?: true
  fullPage?: true
  act?: (page: Page) => Promise<void>
}

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
      await page.waitForFunction(() => performance.now() > 3100)
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
      await page.waitForFunction(() => performance.now() > 3100)
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

const executablePath = provideChromium()
if (!executablePath) throw new Error('No Chromium could be provided')
const site = await startProcess()
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
mkdirSync(FOLDER, { recursive: true })
try {
  for (const [name, scene] of Object.entries(SCENES)) {
    for (const language of LANGUAGES) {
      for (const [width, height] of Object.entries(WIDTHS)) {
        const page = await browser.newPage({ viewport: { width: Number(width), height } })
        if (!scene.banner) {
          await page.addInitScript(() => localStorage.setItem('cookie-consent', 'necessary-only'))
        }
        await page.goto(`${site.url}${scene.path}?lang=${language}`)
        await page.waitForLoadState('networkidle')
        if (!scene.splash) await page.keyboard.press('Shift')
        await page.waitForTimeout(scene.splash ? 600 : 400)
        await scene.act?.(page)
        await page.waitForTimeout(400)
        const path = join(FOLDER, `${name}-${language}-${width}.jpg`)
        await page.screenshot({ path, type: 'jpeg', quality: 70 })
        await page.close()
      }
    }
  }
} finally {
  await browser.close()
  await site.stop()
}
