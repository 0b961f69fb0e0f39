import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { company, findPlaceholders } from '../../shared/content/company.ts'
import { createPost } from '../../tools/harness/client.ts'
import { listenLocally, run, startSiteProcess } from '../../tools/harness/process.ts'
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
  sending.write(body.slice(20))
  expect(await exited).toEqual([0, null])
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*"reference":"RG-/s)
})
