import { globSync } from 'node:fs'
import { chromium, firefox, webkit } from 'playwright-core'
import { provide, provideChromium } from '../browser.ts'
import type { Engine } from './engine.ts'
import { createFirefox } from './firefox.ts'
import { createPlaywrightEngine } from './playwright.ts'
import { createWebKit } from './webkit.ts'

const FIREFOX = ['/usr/bin/firefox', '/usr/bin/firefox-esr']
const MINI_BROWSER = '/usr/lib/*/webkit2gtk-4.1/MiniBrowser'

const STARTS: Record<string, () => Promise<Engine | undefined> | Engine | undefined> = {
  Chromium: () => createPlaywrightEngine('Chromium', chromium, provideChromium()),
  Firefox() {
    const path = provide(firefox, () => FIREFOX, ['firefox-esr'])
    if (path === firefox.executablePath()) return createPlaywrightEngine('Firefox', firefox, path)
    return path ? createFirefox(path) : undefined
  },
  WebKit() {
    const path = provide(webkit, () => globSync(MINI_BROWSER), ['webkit2gtk-driver', 'xvfb'])
    if (path === webkit.executablePath()) return createPlaywrightEngine('WebKit', webkit, path)
    return path ? createWebKit(path) : undefined
  },
}

/** Starts the named engines, by default all; also returns the names of engines that cannot start. */
export async function startEngines(names = Object.keys(STARTS)) {
  const engines: Engine[] = []
  const missing: string[] = []
  for (const name of names) {
    try {
      const engine = await STARTS[name]?.()
      const tab = await engine?.open('default')
      await tab?.close()
      if (engine) engines.push(engine)
      else missing.push(name)
    } catch (error) {
      missing.push(`${name} (${error})`)
    }
  }
  return { engines, missing }
}
