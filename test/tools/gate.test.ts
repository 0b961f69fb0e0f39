import { existsSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { runSuites } from '../../tools/gate/run-suites.ts'
import { listen, run } from '../../tools/harness/process.ts'
import { until } from '../../tools/harness/raw-client.ts'
import { createFolder } from '../support/folders.ts'

const root = realpathSync(createFolder())
const SUITES = {
  'sound.test.cjs': "test('adds', () => expect(1 + 1).toBe(2))",
  'wrong.test.cjs': "describe('sums', () => { test('adds', () => expect(1).toBe(2)) })",
  'broken.test.cjs': "require('./no-such-file.cjs')",
  'leaving.test.cjs': `test('fails before it stops its process', () => {
    const script = "require('fs').writeFileSync('left', process.pid + ''); setInterval(() => {}, 1000)"
    require('child_process').spawn(process.execPath, ['-e', script], { stdio: 'inherit' })
    while (!require('fs').existsSync('left')) {}
    expect(1).toBe(2)
  })`,
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

test('failed tests and suites that cannot run are named', async () => {
  const suites = ['sound.test.cjs', 'wrong.test.cjs', 'broken.test.cjs']
  const { signal } = new AbortController()
  const { passed, failed } = await runSuites({ ...options, suites, signal })
  expect(passed).toBe(1)
  expect(failed.toSorted()).toEqual([
    expect.stringMatching(/^broken.test.cjs: could not run: .*no-such-file/),
    'wrong.test.cjs: sums adds',
  ])
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

test('a failed test that leaves a process does not keep the run from its end', async () => {
  const { signal } = new AbortController()
  const suites = ['leaving.test.cjs', 'sound.test.cjs']
  const { failed } = await runSuites({ ...options, suites, signal })
  expect(failed).toEqual(['leaving.test.cjs: fails before it stops its process'])
  const pid = Number(readFileSync(join(root, 'left'), 'utf8'))
  await until(() => !isAlive(pid))
})

/** Runs the audit against a registry with these advisories, or without an answer. */
async function audit(advisories?: object) {
  const registry = createServer((req, res) => {
    req.resume()
    const isAnswered = advisories !== undefined && req.method === 'POST'
    res.writeHead(isAnswered ? 200 : 405, { 'Content-Type': 'application/json' })
    res.end(JSON.stringify(advisories))
  })
  const { status, stdout, stderr } = await run(process.execPath, ['tools/gate/audit.ts'], {
    npm_config_registry: `http://127.0.0.1:${await listen(registry)}`,
    npm_config_noproxy: '127.0.0.1',
    npm_config_cache: mkdtempSync(join(root, 'cache-')),
  })
  registry.close()
  return { status, output: stdout + stderr }
}

const advisory = (severity: string) => ({
  id: 1,
  url: 'https://example.ca/advisory',
  title: 'A test',
  severity,
  vulnerable_versions: '<9999',
})

test.each([
  ['no advisory', {}, 0, 'server: passed'],
  ['a low one for the server', { express: [advisory('low')] }, 1, 'server: FAILS'],
  ['a high one for a tool', { typescript: [advisory('high')] }, 1, 'tools: FAILS'],
  ['a moderate one for a tool', { jest: [advisory('moderate')] }, 0, 'tools: passed'],
])('%s', async (_name, advisories, expected, line) => {
  const { status, output } = await audit(advisories)
  expect(output).toContain(line)
  expect(status).toBe(expected)
})

test('a registry without an answer is neither passed nor failed', async () => {
  const { status, output } = await audit()
  expect(output).toContain('Vulnerabilities not checked: the registry did not answer')
  expect(status).toBe(2)
})
