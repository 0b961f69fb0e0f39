import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fr } from '../../shared/content/index.ts'
import { type Browser, open, openBrowser, type Page, watch } from '../../tools/harness/browser.ts'
import { findFreePort } from '../../tools/harness/process.ts'
import { ROOT } from '../../tools/harness/project.ts'
import { until } from '../../tools/harness/raw-client.ts'
import { createFolder } from '../support/folders.ts'

/** A copy of the project, because the tests change sources. */
const copy = createFolder()
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

let development: ChildProcess
let output = ''
let url: string
let browser: Browser
let page: Page

const countStarts = () => output.split('listening on http').length - 1

beforeAll(async () => {
  const sources = ['client', 'server', 'shared', 'tools', 'vite.config.ts', 'package.json']
  for (const name of sources) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const port = await findFreePort()
  url = `http://localhost:${port}`
  development = spawn('sh', ['-c', scripts.dev], {
    cwd: copy,
    env: {
      HOME: process.env.HOME,
      PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
      PORT: String(port),
      DATABASE_URL: `sqlite:${join(copy, 'inbox.sqlite')}`,
    },
  })
  const note = (text: Buffer) => {
    output += text
  }
  development.stdout?.on('data', note)
  development.stderr?.on('data', note)
  browser = await openBrowser()
  await until(() => countStarts() > 0).catch(() => {
    throw new Error(`The site did not start:\n${output}`)
  })
})
beforeEach(async () => {
  page = await browser.newPage()
  page.setDefaultTimeout(120_000)
})
afterEach(() => page.close())
afterAll(async () => {
  await browser.close()
  development.kill('SIGTERM')
  await once(development, 'exit')
})

/** Changes a file of the copy; the returned function changes it back. */
function edit(file: string, change: (text: string) => string): () => void {
  const path = join(copy, file)
  const before = readFileSync(path, 'utf8')
  writeFileSync(path, change(before))
  return () => writeFileSync(path, before)
}

const title = () => page.getByRole('heading', { level: 1 })
const overlay = () => page.locator('vite-error-overlay')

// Only React's development build reports every hydration mismatch, for instance that of an attribute.
test.each(['fr', 'en'])('with cookie %s pages hydrate without a warning', async (language) => {
  await page.context().addCookies([{ name: 'rg-language', value: language, url }])
  const noise = watch(page)
  for (const path of ['/', '/contact', '/public-safety', '/politique-confidentialite']) {
    await open(page, url + path)
    expect(await page.getAttribute('html', 'lang')).toBe(language)
  }
  expect(noise).toEqual([])
})

const MISTAKES: [name: string, change: (text: string) => string, message: string, place: RegExp][] =
  [
    [
      'a component that throws',
      (text) => text.replace('return (', "throw new Error('A mistake of mine')\n  return ("),
      'A mistake of mine',
      /client\/pages\/services\.tsx:(\d+)/,
    ],
    [
      'a syntax error',
      (text) => `${text}\nexport const broken = {{\n`,
      'Unexpected token',
      /client\/pages\/services\.tsx:(\d+)/,
    ],
    [
      'a wrong import',
      (text) => `import '../missing.tsx'\n${text}`,
      'missing.tsx',
      /client\/pages\/services\.tsx/,
    ],
  ]

test.each(MISTAKES)(
  '%s is shown by the overlay and in the log, and the page is back when it is mended',
  async (name, change, message, place) => {
    const starts = countStarts()
    const logged = output.length
    const mend = edit('client/pages/services.tsx', change)
    await until(async () => (await fetch(`${url}/services`)).status === 500)
    await page.goto(`${url}/services`)
    const shown = (await overlay().locator('.window').textContent()) ?? ''
    expect(shown).toContain(message)
    expect(shown).toMatch(place)
    if (name === 'a component that throws') {
      const lines = readFileSync(join(copy, 'client/pages/services.tsx'), 'utf8').split('\n')
      const line = lines.findIndex((text) => text.includes(message)) + 1
      expect(place.exec(shown)?.[1]).toBe(String(line))
    }
    expect(output.slice(logged)).toContain(message)
    mend()
    await title().filter({ hasText: fr.services.headline }).waitFor()
    await overlay().waitFor({ state: 'detached' })
    expect(countStarts()).toBe(starts)
  },
)

test('a saved component, style or text is on the open page, without a restart', async () => {
  const starts = countStarts()
  await open(page, `${url}/services`)
  const headline = 'Un titre tout neuf'
  const text = edit('shared/content/fr/services.json', (json) =>
    json.replaceAll(fr.services.headline, headline),
  )
  await title().filter({ hasText: headline }).waitFor()
  text()
  await title().filter({ hasText: fr.services.headline }).waitFor()

  const head = edit('shared/content/fr/services.json', (json) =>
    json.replace(`"title": "${fr.services.meta.title}"`, `"title": "${headline}"`),
  )
  await page.waitForFunction((words) => document.title.includes(words), headline)
  expect(await (await fetch(`${url}/services`)).text()).toContain(`<title>${headline}`)
  head()

  const style = edit('client/styles/base.css', (css) => `${css}\nh1 { outline: 7px solid red }\n`)
  await page.waitForFunction(
    () => getComputedStyle(document.querySelector('h1') as Element).outlineWidth === '7px',
  )
  style()
  expect(countStarts()).toBe(starts)
})

test('a saved source of the server restarts it, and the open page reloads by itself', async () => {
  await open(page, `${url}/services`)
  await page.evaluate(() => Object.assign(window, { isOldDocument: true }))
  const starts = countStarts()
  const back = edit('server/pages/discovery.ts', (text) => `${text}\n// Changed.\n`)
  await page.waitForFunction(() => !('isOldDocument' in window))
  expect(countStarts()).toBe(starts + 1)
  expect(await title().textContent()).toBe(fr.services.headline)
  back()
  await until(() => countStarts() === starts + 2)
})

test('published files are served as in production, and sources of the client only', async () => {
  const { headers } = await fetch(`${url}/icon.svg`)
  expect(headers.get('content-type')).toBe('image/svg+xml')
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  for (const path of [`/@fs${copy}/package.json`, `/@fs${copy}/server/main.ts`, '/../package.json'])
    expect(await (await fetch(`${url}${path}?raw`)).text()).not.toMatch(/rg-website|loadConfig/)
})
