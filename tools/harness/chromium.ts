import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Debian's headless Chromium: needs a third of the CPU time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

function attempt(command: string, ...args: string[]): void {
  console.log(`Chromium is missing: ${command} ${args.join(' ')}`)
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 })
  } catch {
    console.log(`${command} could not provide it`)
  }
}

function provide(paths: string[], debianPackage: string): string | undefined {
  const find = () => [...paths, chromium.executablePath()].find((path) => existsSync(path))
  if (!find()) attempt('npx', 'playwright-core', 'install', 'chromium')
  if (!find() && process.getuid?.() === 0) {
    attempt('apt-get', 'update', '-qq')
    attempt('apt-get', 'install', '-y', '-qq', '--no-install-recommends', debianPackage)
  }
  return find()
}

/** The path of Chromium: an installed one, else Playwright's, else (as root) Debian's package. */
export const provideChromium = () => provide(BROWSERS, 'chromium')

/** The same for tests, headless. */
export const provideHeadlessChromium = () =>
  provide([HEADLESS_SHELL, ...BROWSERS], 'chromium-headless-shell')
