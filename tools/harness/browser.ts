import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import * as playwright from 'playwright-core'
import { CONSENT_KEY } from '../../shared/consent.ts'
import type { Tab } from './engines/engine.ts'

export type { Browser, BrowserContext, Page }

/** The engine of the browser suites. Firefox and WebKit are Playwright's own builds: `npx playwright-core install firefox`. */
const ENGINES = {
  chromium: playwright.chromium,
  firefox: playwright.firefox,
  webkit: playwright.webkit,
}
const ENGINE = (process.env.BROWSER ?? 'chromium') as keyof typeof ENGINES

const CHROMIUMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Debian's headless Chromium needs a third of the full Chromium's CPU time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/** Runs commands until one fails; the suites then fail with the advice of the program that is missing. */
function install(missing: string, commands: string[]): void {
  const command = commands.join(' && ')
  console.log(`${missing} is missing; installing it: ${command}`)
  const { status } = spawnSync('sh', ['-c', command], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 300_000,
  })
  if (status !== 0) console.log(`failed: ${command}`)
}

/** Returns the first path that exists, or undefined. If none does, root first installs the Debian packages. */
export function provide(paths: string[], debianPackages: string[]): string | undefined {
  const find = () => paths.find((path) => existsSync(path))
  const packages = debianPackages.join(' ')
  if (!find() && process.getuid?.() === 0)
    install(packages, [
      'apt-get update -qq',
      `apt-get install -y -qq --no-install-recommends ${packages}`,
    ])
  return find()
}

/** Returns a Chromium's path. Installs a missing one: Playwright's or, if that fails, Debian's (as root). */
function findChromium(installed: string[], debianPackage: string): string {
  const own = playwright.chromium.executablePath()
  const paths = [...installed, own]
  if (!paths.some((path) => existsSync(path)))
    install('Chromium', ['npx playwright-core install chromium'])
  return provide(paths, [debianPackage]) ?? own
}

export const provideChromium = (): string => findChromium(CHROMIUMS, 'chromium')

/** Stands in for Arial, which most computers have: the page shows it until the site's fonts arrive. */
const ARIAL = '/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf'

export function provideHeadlessChromium(): string {
  if (process.platform === 'linux') provide([ARIAL], ['fonts-liberation'])
  return findChromium([HEADLESS_SHELL, ...CHROMIUMS], 'chromium-headless-shell')
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Starts BROWSER. The options are for Chromium alone. */
export function openBrowser(
  executablePath = process.env.CHROMIUM ?? provideHeadlessChromium(),
  { hasScrollbars = false, textSizePx = 16 } = {},
) {
  if (ENGINE !== 'chromium') return ENGINES[ENGINE].launch()
  const args = [
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    // No page of a test lives so long that optimized code saves the time of its compilers.
    '--js-flags=--no-opt --no-maglev',
    // A phone does not round the widths of letters to pixels.
    '--font-render-hinting=none',
    `--blink-settings=defaultFontSize=${textSizePx}`,
  ]
  const ignoreDefaultArgs = hasScrollbars ? ['--hide-scrollbars'] : []
  return playwright.chromium.launch({ executablePath, args, ignoreDefaultArgs })
}

/** Collects a page's uncaught errors, console errors and console warnings; CSP violations are among them. */
export function watch(page: Page): string[] {
  const noise: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) noise.push(message.text())
  })
  page.on('pageerror', (error) => noise.push(String(error)))
  return noise
}

/** Ends the splash with a key, and waits until it is gone: React removes it, after hydration. */
export async function skipSplash(page: Page): Promise<void> {
  await page.keyboard.press('Shift')
  const splash = page.locator('.splash')
  while ((await splash.count()) > 0) await page.waitForTimeout(20)
}

/** Opens a URL and waits until the page is hydrated. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await skipSplash(page)
}

export async function openWithoutBanner(page: Page, url: string): Promise<void> {
  const consent = { name: CONSENT_KEY, value: 'necessary-only', url: new URL(url).origin }
  await page.context().addCookies([consent])
  await open(page, url)
}

/** Runs in a page. `document.fonts.ready` does not wait for the style sheet that names the fonts. */
export const hasFonts = () =>
  document.fonts.status === 'loaded' &&
  [...document.fonts].some(({ family, status }) => family === 'Public Sans' && status === 'loaded')

export async function findViolations(page: Pick<Tab, 'evaluate'>): Promise<string[]> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
  if (!(await page.evaluate(() => 'axe' in globalThis)))
    await page.evaluate(`(() => { ${readFileSync(path, 'utf8')} })()`)
  return page.evaluate(async (values) => {
    const { axe } = globalThis as unknown as { axe: typeof Axe }
    const { violations } = await axe.run({
      runOnly: values,
      // Only rules that this site does not need read the style sheets and the media.
      preload: false,
      // Saves the details of the passed rules.
      resultTypes: ['violations'],
      // A contrast of 7, or 4.5 for large text (WCAG AAA).
      rules: { 'color-contrast-enhanced': { enabled: true } },
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
    )
  }, STANDARDS)
}
