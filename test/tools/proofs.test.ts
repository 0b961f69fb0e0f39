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

test('the smoke test passes on the site and leaves no message', async () => {
  const site = await openSite({ realTime: true })
  const { status, stdout } = await prove('smoke', '--site', site.url)
  expect(stdout).not.toContain('FAILS')
  expect(stdout).toMatch(/^proved$/m)
  expect(status).toBe(0)
  expect(await site.messages()).toEqual([])
  await site.stop()
})
