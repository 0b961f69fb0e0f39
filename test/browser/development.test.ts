import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
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

const TEXTS = 'shared/content/fr/services.json'
const BAND = '<div className="band"'

// The fault is in the first line that differs.
test.each([
  ['a component that throws', VIEW, /return \(/, "throw Error('Mine')\n  return (", 'Mine'],
  ['a syntax error', VIEW, /$/, 'export const broken = {{\n', 'Unexpected token'],
  ['a wrong import', VIEW, /^/, "import '../missing.tsx'\n", 'missing.tsx'],
  [
    'an effect that throws',
    VIEW,
    BAND,
    `${BAND} ref={() => { effect() }}`,
    'effect is not defined',
  ],
  ['a handler that throws', VIEW, BAND, `${BAND} onClick={() => act()}`, 'act is not defined'],
  ['a module that throws', VIEW, /$/, 'wrongName()\n', 'wrongName is not defined'],
  ['a style', 'client/styles/base.css', /}\n/, '}}\n', 'Unexpected }'],
  ['a text without its comma', TEXTS, /",\n/, '"\n', 'add a comma'],
  [
    'a text with a wrong key',
    TEXTS,
    '"headline"',
    '"headlin"',
    'the other language lacks this text',
  ],
  ['a text that the check refuses', TEXTS, '"headline": "', "$&'", 'use the curly apostrophe'],
  [
    'a server that cannot start',
    'server/app.ts',
    /const app/,
    'start()\n$&',
    'start is not defined',
  ],
])(
  '%s is shown by the overlay of the open page and in the log, until it is mended',
  async (_, file, place, fault, message) => {
    await page.goto(`${url}/services`)
    await skipSplash(page)
    const lines = readFileSync(join(copy, file), 'utf8').split('\n')
    const logged = output.length
    const mend = edit(file, (text) => text.replace(place, fault))
    const changed = readFileSync(join(copy, file), 'utf8').split('\n')
    const line = changed.findIndex((each, index) => each !== lines[index]) + 1
    await until(async () => {
      await page
        .locator('.band')
        .first()
        .dispatchEvent('click', {}, { timeout: 100 })
        .catch(() => {})
      return (await overlay().count()) > 0
    })
    const shown = (await overlay().locator('.window').textContent()) ?? ''
    expect(shown).toContain(message)
    expect(shown).toContain(`${basename(file)}:${line}:`)
    expect(await headline(fr.errors.serverError.headline).count()).toBe(0)
    await waitForOutput(message, logged)
    mend()
    await headline(fr.services.headline).waitFor()
    await overlay().waitFor({ state: 'detached' })
  },
)

test('the page that tries the error page shows it, without the overlay', async () => {
  await page.goto(`${url}/error-test`)
  await skipSplash(page)
  const logged = output.length
  await page.getByRole('button', { name: fr.errors.test.throwing }).click()
  await headline(fr.errors.serverError.headline).waitFor()
  await waitForOutput('Thrown by the test page', logged)
  expect(await overlay().count()).toBe(0)
})

test('published files are served as in production, and sources of the client only', async () => {
  const { headers } = await fetch(`${url}/icon.svg`)
  expect(headers.get('content-type')).toBe('image/svg+xml')
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  for (const path of [`/@fs${copy}/package.json`, `/@fs${copy}/server/main.ts`, '/../package.json'])
    expect(await (await fetch(`${url}${path}?raw`)).text()).not.toMatch(
      /devDependencies|loadConfig/,
    )
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
