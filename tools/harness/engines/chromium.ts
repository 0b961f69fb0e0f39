import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { provideChromium, watch } from '../browser.ts'
import type { Engine } from './engine.ts'

/** Blocks cookies and storage: Chromium has one setting for both. */
const BLOCKED = JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } })

export const openChromium: Engine = async (profile) => {
  const folder = mkdtempSync(join(tmpdir(), 'chromium-'))
  mkdirSync(join(folder, 'Default'))
  const preferences = ['no storage', 'no cookies'].includes(profile) ? BLOCKED : '{}'
  writeFileSync(join(folder, 'Default/Preferences'), preferences)
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: provideChromium(),
    args: ['--no-sandbox'],
    ignoreDefaultArgs: ['--hide-scrollbars'],
    colorScheme: profile === 'dark' ? 'dark' : 'light',
    javaScriptEnabled: profile !== 'no script',
  })
  const page = await context.newPage()
  // Playwright's `evaluate` counts as an action of the visitor, which would end the splash.
  await page.addInitScript(() => Object.defineProperty(navigator, 'userActivation', {}))
  return Object.assign(page, {
    noise: watch(page),
    open: (url: string) => page.goto(url, { waitUntil: 'commit' }),
    async close() {
      await context.close()
      rmSync(folder, { recursive: true })
    },
  })
}
