import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { company, findPlaceholders } from '../../shared/content/company.ts'
import { createPost } from '../../tools/harness/client.ts'
import {
  findFreePort,
  listenLocally,
  run,
  startNode,
  startSiteProcess,
} from '../../tools/harness/process.ts'
import { ROOT } from '../../tools/harness/project.ts'
import { openSocket, until, writeRequest } from '../../tools/harness/raw-client.ts'
import { createFolder } from '../support/folders.ts'

const MAIN = join(ROOT, 'server/main.ts')
const path = join(createFolder(), 'inbox.sqlite')
const start = (environment: Record<string, string>) =>
  run(process.execPath, [MAIN], { PORT: '0', DATABASE_URL: `sqlite:${path}`, ...environment })

test('a wrong environment stops the start and names every fault', async () => {
  const wrong = { PORT: '70000', TRUST_PROXY: 'true', PUBLIC_URL: 'x' }
  const { status, stderr } = await start(wrong)
  expect(status).toBe(1)
  for (const name of Object.keys(wrong)) expect(stderr).toContain(name)
})

test('a taken port stops the start, and says what to do', async () => {
  const taken = createServer()
  const port = String(await listenLocally(taken))
  const { status, stderr } = await start({ HOST: '127.0.0.1', METRICS_PORT: port })
  taken.close()
  expect(status).toBe(1)
  expect(stderr).toMatch(/^The site cannot listen .*PORT and METRICS_PORT to free ports/)
})

test('a store of a newer build stops the start, with its explanation', async () => {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA user_version = 99')
  database.close()
  const { status, stderr } = await start({})
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^A newer build/)])
})

test('the start warns of what an operator should know; SIGTERM ends the process once requests are answered', async () => {
  await using site = await startSiteProcess({ environment: { HOST: '0.0.0.0', METRICS_PORT: '0' } })
  const named = site.logged.flatMap(({ placeholders }) => placeholders ?? [])
  expect(named).toEqual(findPlaceholders(company))
  const warnings = site.logged.filter(({ level }) => level === 40).map(({ msg }) => msg)
  expect(warnings).toContainEqual(expect.stringMatching(/^PUBLIC_URL is not set/))
  expect(warnings).toContainEqual(expect.stringMatching(/^mail is off/))
  const metricsPort = site.logged.find((entry) => 'metricsPort' in entry)?.metricsPort
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  expect(await metrics.text()).toMatch(/^# TYPE http_requests_total counter$/m)

  const idle = await openSocket(site)
  idle.resume().write(writeRequest('GET', '/livez', { Connection: 'keep-alive' }))
  const { path, headers, body } = createPost()
  const sending = await openSocket(site)
  let answer = ''
  sending.on('data', (data) => {
    answer += data
  })
  const keeping = { ...headers, Connection: 'keep-alive' }
  sending.write(writeRequest('POST', path, keeping, body.slice(0, 20)))
  // The site has begun with the request: it answers one that came later.
  await fetch(`${site.url}/livez`)
  const exited = once(site.child, 'exit')
  site.child.kill('SIGTERM')
  await until(() => site.logged.some(({ msg }) => /^stopping/.test(String(msg))))
  // npm sends it once more.
  site.child.kill('SIGTERM')
  // A proxy sees that the site is not ready, while its other requests are still answered.
  const ready = await fetch(`${site.url}/readyz`)
  expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close'])
  expect((await fetch(`${site.url}/`)).status).toBe(200)
  sending.write(body.slice(20))
  expect(await exited).toEqual([0, null])
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*"reference":"RG-/s)
})

test('SIGINT ends the process at once, with no time in which the site is not ready', async () => {
  await using site = await startSiteProcess({})
  const exited = once(site.child, 'exit')
  site.child.kill('SIGINT')
  const statuses = new Set<number>()
  const ask = () => fetch(`${site.url}/readyz`).catch(() => undefined)
  for (let ready = await ask(); ready; ready = await ask()) statuses.add(ready.status)
  expect(statuses).not.toContain(503)
  expect(await exited).toEqual([0, null])
})

test('the same mailbox as sender and recipient is warned of', async () => {
  const environment = {
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Info+site@exemple.ca',
    MAIL_TO: 'info@exemple.ca',
  }
  await using site = await startSiteProcess({ environment })
  expect(site.logged.map(({ msg }) => msg)).toContainEqual(
    expect.stringMatching(/^MAIL_FROM and MAIL_TO are the same mailbox/),
  )
})

test.each<[name: string, args: string[], output: string]>([
  ['on a full disk', [], '/dev/full'],
  ['on a full disk, in development', ['--dev'], '/dev/full'],
  ['whose reader has stalled', [], 'pipe'],
  ['whose reader has left', [], 'pipe'],
])('with a log %s, a site answers, stops, and loses only lines', async (name, args, output) => {
  const port = await findFreePort()
  const stdout = output === 'pipe' ? output : openSync(output, 'w')
  const child = startNode([MAIN, ...args], {
    env: { PATH: process.env.PATH, PORT: String(port), DATABASE_URL: `sqlite:${path}.${name}` },
    stdio: ['ignore', stdout, 'inherit'],
  })
  if (typeof stdout === 'number') closeSync(stdout)
  const exited = once(child, 'exit')
  const ask = () => fetch(`http://localhost:${port}/robots.txt`).catch(() => undefined)
  await until(ask)
  if (name.endsWith('left')) child.stdout?.destroy()
  // More lines than a pipe holds.
  const lines = output === 'pipe' ? 400 : 20
  for (let count = 0; count < lines; count += 1) expect((await ask())?.status).toBe(200)
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})
