import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runSuites } from '../../tools/gate/run-suites.ts'
import { until } from '../../tools/harness/raw-client.ts'
import { createFolder } from '../support/folders.ts'

const root = realpathSync(createFolder())
const SUITES = {
  'sound.test.cjs': "test('adds', () => expect(1 + 1).toBe(2))",
  'broken.test.cjs': "require('./no-such-file.cjs')",
  'leaving.test.cjs': `describe('stops', () => test('fails before it stops its process', () => {
    const script = "require('fs').writeFileSync('left', process.pid + ''); setInterval(() => {}, 1000)"
    require('child_process').spawn(process.execPath, ['-e', script], { stdio: 'inherit' })
    while (!require('fs').existsSync('left')) {}
    expect(1).toBe(2)
  }))`,
  'stubborn.test.cjs': `test('starts a process that ignores SIGTERM', () => {
    const script = "process.on('SIGTERM', () => {}); require('fs').writeFileSync('pid', process.pid + ''); setInterval(() => {}, 1000)"
    require('child_process').spawn(process.execPath, ['-e', script])
    for (;;); // Jest's timeout cannot end a busy loop.
  })`,
}
const options = { root, workers: 2, quiet: true }

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

beforeAll(() => {
  writeFileSync(join(root, 'package.json'), JSON.stringify({ jest: { testMatch: ['**/*.cjs'] } }))
  for (const [name, text] of Object.entries(SUITES)) writeFileSync(join(root, name), text)
})

test('an aborted run names the suite that did not end, and leaves no process', async () => {
  const file = join(root, 'pid')
  const stop = new AbortController()
  const suites = ['stubborn.test.cjs', 'sound.test.cjs']
  const running = runSuites({ ...options, suites, signal: stop.signal, graceMs: 100 })
  await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '')
  stop.abort()
  const { failed } = await running
  expect(failed).toContain('stubborn.test.cjs: did not end')
  const pid = Number(readFileSync(file, 'utf8'))
  await until(() => !isAlive(pid))
})

test('failed tests and suites that cannot run are named, and a process that is left does not keep the run from its end', async () => {
  const { signal } = new AbortController()
  const suites = ['leaving.test.cjs', 'broken.test.cjs', 'sound.test.cjs']
  const { passed, failed } = await runSuites({ ...options, suites, signal })
  expect(passed).toBe(1)
  expect(failed.toSorted()).toEqual([
    expect.stringMatching(/^broken.test.cjs: could not run: .*no-such-file/),
    'leaving.test.cjs: stops fails before it stops its process',
  ])
  const pid = Number(readFileSync(join(root, 'left'), 'utf8'))
  await until(() => !isAlive(pid))
})
