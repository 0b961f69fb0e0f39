import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }
import { createFolder } from '../support/folders.ts'

const START = join(import.meta.dirname, '../../tools/start.js')
const { scripts } = packageFile
const root = createFolder()

test('the inbox command replaces no packages under a running site', () => {
  for (const folder of ['tools', 'bin', 'node_modules']) mkdirSync(join(root, folder))
  copyFileSync(START, join(root, 'tools/start.js'))
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
