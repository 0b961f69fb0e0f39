import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

function findInstalled(): string | undefined {
  return [...INSTALLED, chromium.executablePath()].find((path) => existsSync(path))
}

function attempt(command: string, ...args: string[]): void {
  console.log(`Chromium is missing: ${command} ${args.join(' ')}`)
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 })
  } catch {
    console.log(`${command} could not provide it`)
  }
}

/** The path of a Chromium: an installed one, else Playwright's, else Debian's package when root. */
export function provideChromium(): string | undefined {
  if (!findInstalled()) attempt('npx', 'playwright-core', 'install', 'chromium')
  if (!findInstalled() && process.getuid?.() === 0) {
    attempt('apt-get', 'update', '-qq')
    attempt('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium')
  }
  return findInstalled()
}
