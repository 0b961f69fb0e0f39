import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }
import { judge, listErrors, listTests } from '../../tools/gate/gate.ts'
import { findUnproved } from '../../tools/gate/specification.ts'
import { run } from '../../tools/harness/process.ts'
import { ROOT } from '../../tools/harness/project.ts'
import { createFolder } from '../support/folders.ts'

const { scripts } = packageFile
const root = createFolder()

const lock = (integrity: string) =>
  JSON.stringify({ packages: { '': {}, a: { integrity }, b: { integrity: '1', optional: true } } })

test('packages are installed when the lock file names others, but not under a running site', () => {
  for (const folder of ['tools', 'bin', 'node_modules']) mkdirSync(join(root, folder))
  copyFileSync(join(ROOT, 'tools/start.js'), join(root, 'tools/start.js'))
  writeFileSync(join(root, 'bin/npm'), '#!/bin/sh\necho "npm $*" >&2\n', { mode: 0o755 })
  const installed = join(root, 'node_modules/.package-lock.json')
  writeFileSync(installed, JSON.stringify({ packages: { a: { integrity: '1' } } }))
  utimesSync(installed, 0, 1000)
  const runScript = (script: string) => {
    const env = { PATH: `${join(root, 'bin')}:${process.env.PATH}` }
    return execFileSync('sh', ['-c', `${script} 2>&1`], { cwd: root, env, encoding: 'utf8' })
  }
  // An optional package may be for other machines.
  writeFileSync(join(root, 'package-lock.json'), lock('1'))
  expect(runScript(scripts.prebuild)).toBe('')
  writeFileSync(join(root, 'package-lock.json'), lock('2'))
  expect(runScript(scripts.prebuild)).toContain('npm ci')
  expect(runScript(scripts.preinbox)).toBe('')
  rmSync(installed)
  expect(runScript(scripts.preinbox)).toContain('npm ci')
})

test('install scripts run here, whatever the user’s own settings of npm say', () => {
  writeFileSync(join(root, '.npmrc'), 'ignore-scripts=true\n')
  const { PATH } = process.env
  const env = { PATH, NPM_CONFIG_USERCONFIG: join(root, '.npmrc') }
  const options = { cwd: ROOT, env, encoding: 'utf8' } as const
  expect(execFileSync('npm', ['config', 'get', 'ignore-scripts'], options)).toBe('false\n')
})

test('a signal to the shell of `npm start` ends the site, because Node takes its place', () => {
  const code = 'process.stdout.write(String(process.pid)); process.exit()'
  const env = {
    ...process.env,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
  }
  const { pid, stdout } = spawnSync('sh', ['-c', scripts.start], { env, encoding: 'utf8' })
  expect(Number(stdout)).toBe(pid)
})

const passed = { title: 'adds', fullName: 'sums adds', status: 'passed' }
const failed = { title: 'subtracts', fullName: 'sums subtracts', status: 'failed' }
const skipped = { title: 'divides', fullName: 'sums divides', status: 'pending' }

test.each([
  ['passed tests', 'passed', [passed], []],
  ['a failed test', 'failed', [passed, failed], ['test/a.test.ts: sums subtracts']],
  ['a skipped test', 'passed', [passed, skipped], ['test/a.test.ts: sums divides']],
  ['a suite that cannot run', 'failed', [], ['test/a.test.ts: failed outside its tests']],
  ['a hook that fails', 'failed', [passed], ['test/a.test.ts: failed outside its tests']],
])('the gate judges %s', (_, status, assertionResults, names) => {
  const tests = listTests({ name: join(ROOT, 'test/a.test.ts'), status, assertionResults })
  const judged = judge({ name: 'jest', status }, tests)
  expect(judged.filter((each) => each.status !== 'passed').map(({ name }) => name)).toEqual(names)
})

test('no test, and a failure of jest without a failed test, are failures', () => {
  expect(judge({ name: 'jest', status: 'passed' }, [])).toMatchObject([{ status: 'failed' }])
  const jest = { name: 'jest', status: 'failed' }
  expect(judge(jest, [{ name: 'a', status: 'passed' }])).toContain(jest)
})

test('an error that several projects of TypeScript have is printed once', () => {
  const error = "shared/a.ts(1,1): error TS1: No\n  Type 'x'."
  expect(listErrors(`${error}\n${error}\nclient/b.ts(1,1): error TS2: No\n`)).toHaveLength(2)
})

test('a row of the specification needs a test that passed', () => {
  const title = 'a failure shows Erreur and keeps the typed text'
  const suite = 'test/browser/form.test.ts'
  const rows = findUnproved([])
  expect(rows.length).toBeGreaterThan(40)
  expect(findUnproved([{ suite, title, status: 'failed' }])).toEqual(rows)
  const unproved = findUnproved([{ suite, title, status: 'passed' }])
  const proved = rows.filter((row) => !unproved.includes(row))
  expect(proved).toEqual([
    expect.stringMatching('^specification, 4 form: error:'),
    expect.stringMatching('^specification, 8 toasts:'),
  ])
})

test('the proof kills holds for two kills', async () => {
  const args = ['tools/proofs/main.ts', 'kills', '--count', '2', '--store', 'sqlite']
  const { status, stdout, stderr } = await run(process.execPath, args)
  expect(stdout + stderr).toMatch(/^proved$/m)
  expect(status).toBe(0)
})
