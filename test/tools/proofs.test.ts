import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { run } from '../../tools/harness/process.ts'
import { startSite } from '../support/site.ts'

const prove = (...args: string[]) => run(process.execPath, ['tools/proofs/main.ts', ...args])

test.each([
  ['kills', '2'],
  ['limits', '2'],
  ['stops', '1'],
  ['fuzz', '150'],
  // Always runs over PostgreSQL: only there several machines share one clock.
  ['clocks', '2'],
])('the proof %s holds for a count of %s', async (name, count) => {
  const options = ['--seed', '1', '--count', count, '--store', 'sqlite']
  const { status, stdout, stderr } = await prove(name, ...options)
  expect(stdout + stderr).toMatch(/^proved$/m)
  expect(status).toBe(0)
})

test('the smoke test passes on the site and leaves one message', async () => {
  const site = await startSite({ realTime: true })
  const { status, stdout } = await prove('smoke', '--site', site.url, '--post')
  expect(stdout).not.toContain('FAILS')
  expect(stdout).toMatch(/^proved$/m)
  expect(status).toBe(0)
  expect(await site.messages()).toHaveLength(1)
  await site.stop()
})

test('the smoke test reports every part of another server', async () => {
  const server = createServer((_req, res) => res.end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { status, stdout } = await prove('smoke', '--site', url, '--post')
  server.closeAllConnections()
  server.close()
  const failures = stdout.match(/FAILS: .*/g)?.join('\n')
  const parts = ['pages', 'scripts', 'headers', 'unknown page', 'refused', 'message is kept']
  for (const part of parts) expect(failures).toContain(part)
  expect(status).toBe(1)
})

test.each([
  ['http://127.0.0.1:2', 'ECONNREFUSED'],
  ['www.example.ca', 'ERR_INVALID_URL'],
])('the smoke test says in one line that %s does not answer', async (site, code) => {
  const { status, stdout, stderr } = await prove('smoke', '--site', site)
  expect(stdout).toContain(`  FAILS: ${site} answers (${code})\n`)
  expect([status, stderr]).toEqual([1, ''])
})

test('the bench measures GET / from the cache', async () => {
  const bench = ['tools/bench/main.ts', 'get', '--quick']
  const { status, stdout, stderr } = await run(process.execPath, bench)
  expect(stderr).toBe('')
  expect(stdout).toContain('  GET / (br), of bare node:http ')
  expect(stdout).not.toMatch(/NaN|Infinity/)
  expect(status).toBe(0)
})
