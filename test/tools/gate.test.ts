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
}
// Jest's timeout cannot end a busy loop.
const LOOP = "test('loops', () => { require('fs').writeFileSync('looping', ''); for (;;); })"

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

beforeAll(() => {
  writeFileSync(join(root, 'package.json'), JSON.stringify({ jest: { testMatch: ['**/*.cjs'] } }))
  for (const [name, text] of Object.entries({ ...SUITES, 'stubborn.test.cjs': LOOP }))
    writeFileSync(join(root, name), text)
})

test('a killed run names the suite that did not end', async () => {
  const stop = new AbortController()
  const ended = runSuites({ root, suites: ['stubborn.test.cjs'], quiet: true, signal: stop.signal })
  await until(() => existsSync(join(root, 'looping')))
  stop.abort()
  expect(await ended).toEqual({ passed: 0, failed: ['stubborn.test.cjs: did not end'] })
})

test('names failed tests and suites that cannot run, and ends the processes that they leave', async () => {
  const { passed, failed } = await runSuites({ root, suites: Object.keys(SUITES), quiet: true })
  expect(passed).toBe(1)
  expect(failed.toSorted()).toEqual([
    expect.stringMatching(/^broken.test.cjs: could not run: .*no-such-file/),
    'leaving.test.cjs: stops fails before it stops its process',
  ])
  const pid = Number(readFileSync(join(root, 'left'), 'utf8'))
  await until(() => !isAlive(pid))
})
