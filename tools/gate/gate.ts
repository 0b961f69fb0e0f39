import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { provideHeadlessChromium } from '../harness/chromium.ts'
import { runSuites } from './run-suites.ts'

const root = join(import.meta.dirname, '../..')
/** For all tests together: far more than a busy machine takes, so that only a hang meets it. */
const TESTS_LIMIT_MS = 40 * 60_000
/** For each other step. */
const STEP_LIMIT_MS = 15 * 60_000
/** Most suites wait for a disk, a browser or another process: one more than the two cores are kept busy. */
const SUITES_AT_ONCE = 3

let passed = 0
const failed: string[] = []

function count(name: string, holds: boolean): boolean {
  if (holds) passed += 1
  else failed.push(name)
  return holds
}

/** A step that passes or fails as a whole. */
function step(name: string, command: string, ...args: string[]): boolean {
  console.log(`\n— ${name}`)
  const options = { cwd: root, stdio: 'inherit', timeout: STEP_LIMIT_MS } as const
  return count(name, spawnSync(command, args, options).status === 0)
}

async function tests(suites: string[], chromium = ''): Promise<void> {
  console.log('\n— tests')
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), TESTS_LIMIT_MS)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())
  const environment = { CHROMIUM: chromium }
  const workers = SUITES_AT_ONCE
  const result = await runSuites({ root, suites, workers, signal: stop.signal, environment })
  clearTimeout(timer)
  passed += result.passed
  failed.push(...result.failed)
}

/** A registry that does not answer is neither a pass nor a failure. */
function audit(): void {
  console.log('\n— known vulnerabilities')
  const options = { cwd: root, stdio: 'inherit', timeout: STEP_LIMIT_MS } as const
  const { status } = spawnSync('node', ['tools/gate/audit.ts'], options)
  if (status !== 2) count('known vulnerabilities', status === 0)
}

// The content check runs first: it names a fault of a text in plain words.
if (step('texts', 'node', 'tools/content/check-content.ts')) {
  step('format and lint', 'biome', 'ci', '--error-on-warnings')
  step('types', 'tsc', '-b')
}
if (!process.argv.includes('check')) {
  const built = step('build', 'node', 'tools/start.js', 'build')
  const chromium = built ? provideHeadlessChromium() : undefined
  if (!chromium) count('browser tests: there is no Chromium, or no bundle', false)
  const suites = globSync('test/**/*.test.ts', { cwd: root })
  const inBrowser = (suite: string) => suite.startsWith('test/browser/')
  await tests(chromium ? suites : suites.filter((suite) => !inBrowser(suite)), chromium)
  audit()
}
if (failed.length > 0) console.log(`\nFailed:\n${failed.map((name) => `  ${name}`).join('\n')}`)
console.log(`\n${passed} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0
