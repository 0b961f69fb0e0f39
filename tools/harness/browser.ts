import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core'

export type { Browser, BrowserContext, CDPSession, Page }

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  })
}

/** Collects console errors, console warnings (CSP violations too) and uncaught errors of a page. */
export function watch(page: Page): string[] {
  const noise: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) noise.push(message.text())
  })
  page.on('pageerror', (error) => noise.push(String(error)))
  return noise
}

/** Ends the splash with a key press; once it is gone, the page is hydrated. */
export async function skipSplash(page: Page): Promise<void> {
  const splash = page.locator('.splash')
  while ((await splash.count()) > 0) {
    await page.keyboard.press('Shift')
    await page.waitForTimeout(20)
  }
}

/** Opens an address and waits until the page is hydrated. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await skipSplash(page)
}

/** The same, with the cookie banner already answered. */
export async function openWithoutBanner(page: Page, address: string): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('cookie-consent', 'necessary-only'))
  await open(page, address)
}

/** Fills in the form with valid values. */
export async function fillContact(page: Page): Promise<void> {
  const fields = {
    firstName: 'Zoé',
    lastName: 'Roy',
    email: 'zoe@exemple.ca',
    message: 'Bonjour à tous',
  }
  for (const [name, value] of Object.entries(fields)) await page.locator(`#${name}`).fill(value)
}

interface Violation {
  id: string
  nodes: { target: unknown; failureSummary?: string }[]
}

/** Violations that axe finds of WCAG 2.0–2.2 A and AA and of its best practices, one line each. */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  const violations = await page.evaluate(async (values) => {
    const axe = (globalThis as unknown as { axe: { run: (o: object) => Promise<object> } }).axe
    return ((await axe.run({ runOnly: values })) as { violations: Violation[] }).violations
  }, STANDARDS)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  )
}
