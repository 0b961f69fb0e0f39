import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }
import { listTests } from '../../tools/gate/gate.ts'
import { run } from '../../tools/harness/process.ts'
import { ROOT } from '../../tools/harness/project.ts'
import { createFolder } from '../support/folders.ts'

const { scripts } = packageFile
const root = createFolder()

test('the inbox command replaces no packages under a running site', () => {
  for (const folder of ['tools', 'bin', 'node_modules']) mkdirSync(join(root, folder))
  copyFileSync(join(ROOT, 'tools/start.js'), join(root, 'tools/start.js'))
  writeFileSync(join(root, 'bin/npm'), '#!/bin/sh\necho "npm $*" >&2\n', { mode: 0o755 })
  writeFileSync(join(root, 'package-lock.json'), '')
  const installed = join(root, 'node_modules/.package-lock.json')
  writeFileSync(installed, '')
  utimesSync(installed, 0, 1000)
  const runScript = (script: string) => {
    const env = { PATH: `${join(root, 'bin')}:${process.env.PATH}` }
    return execFileSync('sh', ['-c', `${script} 2>&1`], { cwd: root, env, encoding: 'utf8' })
  }
  expect(runScript(scripts.prebuild)).toContain('npm ci')
  expect(runScript(scripts.preinbox)).toBe('')
  rmSync(installed)
  expect(runScript(scripts.preinbox)).toContain('npm ci')
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

const passed = { fullName: 'adds', status: 'passed' }
const failed = { fullName: 'subtracts', status: 'failed' }
const skipped = { fullName: 'divides', status: 'pending' }

test.each([
  ['passed tests', 'passed', [passed], []],
  ['a failed test', 'failed', [passed, failed], ['test/a.test.ts: subtracts']],
  ['a skipped test', 'passed', [passed, skipped], ['test/a.test.ts: divides']],
  ['a suite that cannot run', 'failed', [], ['test/a.test.ts: failed outside its tests']],
  ['a hook that fails', 'failed', [passed], ['test/a.test.ts: failed outside its tests']],
])('the gate judges %s', (_, status, assertionResults, names) => {
  const tests = listTests({ name: join(ROOT, 'test/a.test.ts'), status, assertionResults })
  expect(tests.filter((each) => each.status !== 'passed').map(({ name }) => name)).toEqual(names)
})

test('the proof kills holds for two kills', async () => {
  const args = ['tools/proofs/main.ts', 'kills', '--count', '2', '--store', 'sqlite']
  const { status, stdout, stderr } = await run(process.execPath, args)
  expect(stdout + stderr).toMatch(/^proved$/m)
  expect(status).toBe(0)
})
