import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fr } from '../../shared/content/index.ts'
import {
  type Browser,
  openBrowser,
  type Page,
  skipSplash,
  watch,
} from '../../tools/harness/browser.ts'
import { endProcess, findFreePort } from '../../tools/harness/process.ts'
import { ROOT } from '../../tools/harness/project.ts'
import { until } from '../../tools/harness/raw-client.ts'
import { createFolder } from '../support/folders.ts'
import { STILL } from './steps.ts'

/** A copy of the project, because the tests change sources. */
const copy = createFolder()

let development: ChildProcess
let output = ''
let url: string
let browser: Browser
let page: Page

/** Waits until the development server has written a text after the first `since` characters of its output. */
async function waitForOutput(text: string, since = 0): Promise<void> {
  while (!output.includes(text, since)) await once(development, 'output')
}
const LISTENING = 'listening on http'
const countStarts = () => output.split(LISTENING).length - 1

beforeAll(async () => {
  const sources = ['client', 'server', 'shared', 'tools', 'vite.config.ts', 'package.json']
  for (const name of sources) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const port = await findFreePort()
  url = `http://localhost:${port}`
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  development = spawn('sh', ['-c', scripts.dev], {
    cwd: copy,
    env: {
      HOME: process.env.HOME,
      PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
      PORT: String(port),
      DATABASE_URL: `sqlite:${join(copy, 'inbox.sqlite')}`,
    },
  })
  for (const stream of [development.stdout, development.stderr])
    stream?.on('data', (text: Buffer) => {
      output += text
      development.emit('output')
    })
  browser = await openBrowser()
  page = await browser.newPage(STILL)
  page.setDefaultTimeout(120_000)
  await waitForOutput(LISTENING)
})
afterAll(async () => {
  await browser.close()
  await endProcess(development, 'SIGTERM')
})

/** Changes a file of the copy; the returned function changes it back. */
function edit(file: string, change: (text: string) => string): () => void {
  const path = join(copy, file)
  const before = readFileSync(path, 'utf8')
  writeFileSync(path, change(before))
  return () => writeFileSync(path, before)
}

const VIEW = 'client/pages/services.tsx'
const headline = (text: string) => page.getByRole('heading', { level: 1 }).filter({ hasText: text })
const overlay = () => page.locator('vite-error-overlay')

// Only React's development build reports every hydration mismatch, for instance that of an attribute.
test.each(['/contact?lang=en', '/services?lang=fr'])(
  '%s hydrates without a warning',
  async (path) => {
    const noise = watch(page)
    await page.goto(url + path)
    await skipSplash(page)
    expect(noise).toEqual([])
    expect(output).not.toContain('Failed to run dependency scan')
  },
)

test('a saved component, text, title or style is on the open page, without a restart', async () => {
  const starts = countStarts()
  await page.goto(`${url}/services`)
  await skipSplash(page)
  const saved = 'Un titre tout neuf'
  const edits = [
    edit('shared/content/fr/services.json', (json) =>
      json
        .replaceAll(fr.services.headline, saved)
        .replace(`"title": "${fr.services.meta.title}"`, `"title": "${saved}"`),
    ),
    edit(VIEW, (text) => text.replace('<div className="band"', '<div data-new className="band"')),
    edit('client/styles/base.css', (css) => `${css}\nh1 { outline: 7px solid red }\n`),
  ]
  await headline(saved).waitFor()
  await page.waitForFunction((title) => document.title.startsWith(title), saved)
  await page.locator('[data-new]').waitFor()
  await page.waitForFunction(
    () => getComputedStyle(document.querySelector('h1') as Element).outlineWidth === '7px',
  )
  expect(await (await fetch(`${url}/services`)).text()).toContain(`<title>${saved}`)
  for (const mend of edits) mend()
  await headline(fr.services.headline).waitFor()
  expect(countStarts()).toBe(starts)
})

const MISTAKE = "throw new Error('My mistake')"
test.each([
  ['a component that throws', /return \(/, `${MISTAKE}\n  return (`, 'My mistake'],
  ['a syntax error', /$/, 'export const broken = {{\n', 'Unexpected token'],
  ['a wrong import', /^/, "import '../missing.tsx'\n", 'missing.tsx'],
])(
  '%s is shown by the overlay and in the log, and the page is back when it is mended',
  async (_, place, mistake, message) => {
    const starts = countStarts()
    const logged = output.length
    const mend = edit(VIEW, (text) => text.replace(place, mistake))
    await until(async () => (await fetch(`${url}/services`)).status === 500)
    await waitForOutput(message, logged)
    await page.goto(`${url}/services`)
    const shown = (await overlay().locator('.window').textContent()) ?? ''
    expect(shown).toContain(message)
    const lines = readFileSync(join(copy, VIEW), 'utf8').split('\n')
    const line = lines.findIndex((text) => text.includes(MISTAKE)) + 1
    expect(shown).toContain(line > 0 ? `${VIEW}:${line}` : VIEW)
    mend()
    await headline(fr.services.headline).waitFor()
    await overlay().waitFor({ state: 'detached' })
    expect(countStarts()).toBe(starts)
  },
)

test('published files are served as in production, and sources of the client only', async () => {
  const { headers } = await fetch(`${url}/icon.svg`)
  expect(headers.get('content-type')).toBe('image/svg+xml')
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  for (const path of [`/@fs${copy}/package.json`, `/@fs${copy}/server/main.ts`, '/../package.json'])
    expect(await (await fetch(`${url}${path}?raw`)).text()).not.toMatch(/rg-website|loadConfig/)
})

test('a saved source of the server restarts it, and the open page reloads by itself', async () => {
  await page.goto(`${url}/services`)
  await skipSplash(page)
  await page.evaluate(() => Object.assign(window, { isOldDocument: true }))
  const starts = countStarts()
  edit('server/pages/discovery.ts', (text) => `${text}\n// Changed.\n`)
  await page.waitForFunction(() => !('isOldDocument' in window))
  expect(countStarts()).toBe(starts + 1)
  await headline(fr.services.headline).waitFor()
})
