import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { loadConfig } from '../../../server/config/config.ts'
import { createLog } from '../../../server/log.ts'
import { logStartupWarnings } from '../../../server/process/run.ts'
import { company, findPlaceholders } from '../../../shared/content/company.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { postMessage } from '../../../tools/harness/client.ts'
import { MAIL_FROM, MAIL_TO } from '../../../tools/harness/mail-check.ts'
import { listenLocally, run, startSiteProcess } from '../../../tools/harness/process.ts'
import { ROOT } from '../../../tools/harness/project.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { createFolder } from '../../support/folders.ts'

const MAIN = join(ROOT, 'server/main.js')
const scratch = createFolder()

/** Options of Node that run this code with the `url` of each module that is loaded, including those of packages. */
const onLoad = (code: string) =>
  `--import=data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    ${code}
    return next(url, context)
  },
})`)}`

test('the site creates a compile cache, warns of placeholders, listens on both loopback addresses and stops gracefully', async () => {
  const folder = join(scratch, 'cache')
  await using site = await startSiteProcess({ environment: { NODE_COMPILE_CACHE: folder } })
  const { port } = new URL(site.url)
  for (const host of ['127.0.0.1', '[::1]']) {
    expect((await fetch(`http://${host}:${port}/`)).status).toBe(200)
  }
  const named = site.logged.flatMap(({ placeholders }) => placeholders ?? [])
  expect(named.join()).toBe(findPlaceholders(company).join())
  await until(() => readdirSync(folder, { recursive: true }).length > 100)
  expect(await site.stop()).toBe(0)
})

test('a wrong environment stops the start and names every fault', async () => {
  const wrong = { PORT: '70000', TRUST_PROXY: 'true', PUBLIC_URL: 'x' }
  const { status, stderr } = await run(process.execPath, [MAIN], wrong)
  expect(status).toBe(1)
  for (const name of Object.keys(wrong)) expect(stderr).toContain(name)
})

test.each(['PORT', 'METRICS_PORT'])(
  'a taken %s stops the start before it listens',
  async (name) => {
    const taken = createServer()
    const port = String(await listenLocally(taken))
    const DATABASE_URL = `sqlite:${join(scratch, 'taken.sqlite')}`
    const script = `import { Server } from 'node:net'
      const { listen } = Server.prototype
      Server.prototype.listen = function (...args) {
        return listen.apply(this, args).once('listening', () => console.log('listens'))
      }`
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(script)}`
    const environment = { HOST: '127.0.0.1', PORT: '0', DATABASE_URL, NODE_OPTIONS, [name]: port }
    const { status, stdout, stderr } = await run(process.execPath, [MAIN], environment)
    taken.close()
    expect(status).toBe(1)
    expect(stderr.match(/cannot listen/g)).toHaveLength(1)
    expect(stdout).not.toContain('listens')
  },
)

test('an uncaught error is logged without its message, and ends the process', async () => {
  const script = "process.on('SIGUSR2', () => Promise.reject(new Error('Kanarien' + 'vogel')))"
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(script)}`
  await using site = await startSiteProcess({ environment: { NODE_OPTIONS } })
  const { child, logged } = site
  const closed = once(child, 'close')
  child.kill('SIGUSR2')
  expect(await closed).toEqual([1, null])
  expect(logged.find(({ level }) => level === 60)).toMatchObject({ err: { type: 'Error' } })
  expect(JSON.stringify(logged)).not.toContain('Kanarienvogel')
})

test('SIGTERM during the start ends with 0', async () => {
  const NODE_OPTIONS = onLoad("if (url.endsWith('/run.ts')) process.kill(process.pid)")
  const DATABASE_URL = 'postgres://127.0.0.1:1/none'
  const { status } = await run(process.execPath, [MAIN], { NODE_OPTIONS, DATABASE_URL })
  expect(status).toBe(0)
})

test('a store of a newer build stops the start, with its explanation', async () => {
  const path = join(scratch, 'newer.sqlite')
  using database = new DatabaseSync(path)
  database.exec('PRAGMA user_version = 99')
  const { status, stderr } = await run(process.execPath, [MAIN], { DATABASE_URL: `sqlite:${path}` })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^A newer build/)])
})

test('under node --watch the inbox is open from the start', async () => {
  const watched = `--watch-path=${join(ROOT, 'shared')}`
  await using site = await startSiteProcess({ flags: [watched] })
  const getLines = () =>
    site.logged.map(({ msg }) => String(msg)).filter((msg) => /^inbox /.test(msg))
  await until(() => getLines().includes('inbox open'))
  expect(getLines()).toEqual(['inbox open'])
})

/** Copies the files that the site needs at run time, so that a test can delete the copy. */
async function copySite(): Promise<string> {
  const folder = join(scratch, 'checkout')
  for (const name of ['server', 'shared', 'client/public', 'dist', 'package.json']) {
    await cp(join(ROOT, name), join(folder, name), { recursive: true })
  }
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name.startsWith('.')) continue
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return folder
}

test('a running site does not need its folder, and loads no module after its start', async () => {
  const folder = await copySite()
  const main = join(folder, 'server/main.js')
  const log = `process.stdout.write(JSON.stringify({ loaded: url }) + '\\n')`
  const NODE_OPTIONS = onLoad(`if (url.startsWith('file:')) ${log}`)
  const environment = { NODE_OPTIONS, METRICS_PORT: '0' }
  await using site = await startSiteProcess({ environment, main })
  const loaded = () => site.logged.flatMap((entry) => entry.loaded ?? [])
  // After a stored message, the inbox's thread has loaded its modules too.
  const post = () => postMessage(site.url)
  expect((await post()).status).toBe(200)
  const before = loaded().length
  expect(before).toBeGreaterThan(100)
  await rm(folder, { recursive: true })

  for (const { path = '/no-such-page', status } of pages) {
    for (const language of LANGUAGES) {
      const answer = await fetch(`${site.url}${path}?lang=${language}`)
      const expected = path === '/no-such-page' ? 404 : status
      expect([path, answer.status]).toEqual([path, expected])
      expect(await answer.text()).toContain(`<html lang="${language}"`)
    }
  }
  const html = await (await fetch(site.url)).text()
  const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path)
  expect(assets.length).toBeGreaterThan(0)
  const metricsPort = site.logged.find((entry) => 'metricsPort' in entry)?.metricsPort
  const others = ['/sitemap.xml', '/robots.txt', '/api/openapi.json', '/readyz']
  for (const path of [...assets, ...others]) {
    expect((await fetch(site.url + path)).status).toBe(200)
  }
  const metrics = `http://localhost:${metricsPort}`
  const { headers } = await fetch(`${metrics}/metrics`)
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  for (const unknown of [`${metrics}/`, `${site.url}/metrics`, `${site.url}/api/nothing`]) {
    expect((await fetch(unknown)).status).toBe(404)
  }
  const form = { method: 'POST', body: new URLSearchParams({ firstName: 'Zoé' }) }
  expect((await fetch(`${site.url}/contact`, form)).status).toBe(400)
  expect((await post()).status).toBe(200)
  expect(loaded().slice(before)).toEqual([])
  expect(await site.stop()).toBe(0)
})

function warn(environment: Record<string, string>): string[] {
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => lines.push(JSON.parse(line).msg) })
  logStartupWarnings(loadConfig(environment), log)
  return lines
}

test.each([
  [
    'DATABASE_URL does not use TLS',
    'DATABASE_URL',
    [
      'postgres://site:pass@db.example.ca/inbox',
      'postgres://site:pass@10.0.0.7/inbox?sslmode=disable',
      'postgres:///inbox?host=db.example.ca',
      'postgres://localhost/inbox?host=db.example.ca',
      'postgres:///inbox?host=localhost&host=db.example.ca',
    ],
    [
      'sqlite:./data/inbox.sqlite',
      'postgres://site:pass@db.example.ca/inbox?sslmode=require',
      'postgres://site:pass@db.example.ca/inbox?ssl=true',
      'postgres://localhost/inbox',
      'postgres://[::1]/inbox',
      'postgres://127.0.0.2/inbox',
      'postgres:///inbox?host=/run/postgresql',
      'postgres://db.example.ca/inbox?host=/run/postgresql',
    ],
  ],
  ['PUBLIC_URL is not set', 'HOST', ['0.0.0.0'], ['127.0.0.2', '::ffff:127.0.0.1']],
])('the start warns that %s, by the value of %s', (warning, name, unsafe, safe) => {
  const isWarned = (value: string) =>
    warn({ [name]: value }).some((text) => text.startsWith(warning))
  expect([...unsafe, ...safe].filter(isWarned)).toEqual(unsafe)
})

test.each([
  ['smtps://u:secret@mail.example.ca', false],
  ['smtp://localhost', false],
  ['smtp://u:secret@mail.example.ca?tls=off', true],
])(
  'the start says where mail goes, without its password, and warns if anyone can read it: %s',
  (SMTP_URL, isWarned) => {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => lines.push(line) })
    logStartupWarnings(loadConfig({ SMTP_URL, MAIL_FROM, MAIL_TO }), log)
    const text = lines.join('')
    expect(text).toContain('mail is on')
    expect(text.includes('SMTP_URL has tls=off')).toBe(isWarned)
    expect(text).not.toContain('secret')
  },
)
