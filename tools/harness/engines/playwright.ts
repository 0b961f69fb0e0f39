import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserType } from 'playwright-core'
import { watch } from '../browser.ts'
import { type Engine, PROFILES } from './engine.ts'
import { PREFERENCES } from './firefox.ts'

/** Chromium has one setting for cookies and storage. */
const BLOCKED = { profile: { default_content_setting_values: { cookies: 2 } } }

/** Chromium, and Playwright's own builds of the others. */
export function createPlaywrightEngine(
  name: string,
  type: BrowserType,
  executablePath: string,
): Engine {
  const isChromium = type.name() === 'chromium'
  return {
    name,
    profiles: type.name() === 'webkit' ? ['default', 'no script'] : PROFILES,
    async open(profile) {
      const folder = mkdtempSync(join(tmpdir(), 'browser-'))
      if (isChromium && ['no storage', 'no cookies'].includes(profile)) {
        mkdirSync(join(folder, 'Default'))
        writeFileSync(join(folder, 'Default/Preferences'), JSON.stringify(BLOCKED))
      }
      const context = await type.launchPersistentContext(folder, {
        executablePath,
        args: isChromium ? ['--no-sandbox'] : [],
        ignoreDefaultArgs: isChromium ? ['--hide-scrollbars'] : [],
        firefoxUserPrefs: { ...PREFERENCES.default, ...PREFERENCES[profile] },
        javaScriptEnabled: profile !== 'no script',
      })
      const [page = await context.newPage()] = context.pages()
      return {
        noise: watch(page),
        open: (address) => page.goto(address, { waitUntil: 'commit' }),
        evaluate: (work, argument) =>
          page.evaluate(typeof work === 'string' ? work : `(${work})(${JSON.stringify(argument)})`),
        keyboard: {
          press: (key) => (key.length > 1 ? page.keyboard.press(key) : page.keyboard.type(key)),
        },
        mouse: {
          move: (x, y) => page.mouse.move(x, y),
          click: (x, y) => page.mouse.click(x, y),
        },
        resize: (width, height) => page.setViewportSize({ width, height }),
        capture: () => page.screenshot(),
        async close() {
          await context.close()
          rmSync(folder, { recursive: true })
        },
      }
    },
  }
}
