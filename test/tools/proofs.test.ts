import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const TOOLS = join(import.meta.dirname, '../../tools')

function run(tool: 'proofs' | 'bench', ...args: string[]) {
  return spawnSync(process.execPath, [join(TOOLS, tool, 'main.ts'), ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
  })
}

test.each([
  ['kills', '2'],
  ['limits', '2'],
  ['stops', '1'],
  ['fuzz', '150'],
  // Over PostgreSQL, whatever the store: only there do several machines share one clock.
  ['clocks', '2'],
])('the proof %s holds for a count of %s', (name, count) => {
  const options = ['--seed', '1', '--count', count, '--store', 'sqlite']
  const { status, stdout, stderr } = run('proofs', name, ...options)
  expect(stdout + stderr).toMatch(/^proved$/m)
  expect(status).toBe(0)
})

test('the bench measures GET / from the cache', () => {
  const { status, stdout, stderr } = run('bench', 'get', '--quick')
  expect(stderr).toBe('')
  expect(stdout).toContain('  GET / (br), of bare node:http ')
  expect(stdout).not.toMatch(/NaN|Infinity/)
  expect(status).toBe(0)
})
