import { run } from '../../tools/harness/process.ts'

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
