import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const PROVE = join(import.meta.dirname, '../../tools/proofs/main.ts')
const BENCH = join(import.meta.dirname, '../../tools/bench/main.ts')

/** The long proofs in small: `npm run prove` runs them with their full counts. */
test.each([
  ['kills', '2'],
  ['fuzz', '150'],
  ['canary', '200'],
])('%s, in small', (name, count) => {
  const words = [name, '--seed', '1', '--count', count, '--store', 'sqlite']
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROVE, ...words], {
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
  })
  expect(stdout + stderr).toMatch(/^proved$/m)
  expect(status).toBe(0)
})

test('the bench measures GET / from memory, in small', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BENCH, 'get', '--quick'], {
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(stdout).toContain('  GET / (br), of bare node:http ')
  expect(stdout).not.toMatch(/NaN|Infinity/)
  expect(status).toBe(0)
})
