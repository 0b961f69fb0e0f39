import { run } from '../../tools/harness/process.ts'
import { openSite } from '../support/site.ts'

const prove = (...args: string[]) => run(process.execPath, ['tools/proofs/main.ts', ...args])

test.each([
  ['kills', '2'],
  ['limits', '2'],
  ['stops', '1'],
  ['fuzz', '150'],
])('the proof %s holds for a count of %s', async (name, count) => {
  const options = ['--seed', '1', '--count', count, '--store', 'sqlite']
  const { status, stdout, stderr } = await prove(name, ...options)
  expect(stdout + stderr).toMatch(/^proved$/m)
  expect(status).toBe(0)
})

test('the smoke test passes on the site and leaves one message', async () => {
  const site = await openSite({ realTime: true })
  const { status, stdout } = await prove('smoke', '--site', site.url, '--post')
  expect(stdout).not.toContain('FAILS')
  expect(stdout).toMatch(/^proved$/m)
  expect(status).toBe(0)
  expect(await site.messages()).toHaveLength(1)
  await site.stop()
})

test('the bench measures GET / from the cache', async () => {
  const bench = ['tools/bench/main.ts', 'get', '--quick']
  const { status, stdout, stderr } = await run(process.execPath, bench)
  expect(stderr).toBe('')
  expect(stdout).toContain('GET / (br), of bare node:http')
  expect(stdout).not.toMatch(/NaN|Infinity/)
  expect(status).toBe(0)
})
