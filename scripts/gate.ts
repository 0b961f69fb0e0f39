import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provideChromium } from './chromium.ts'
import type { SuiteReport } from './suite-reporter.ts'

const root = join(import.meta.dirname, '..')
/** For the tests together: far more than a busy machine takes, so that only a hang meets it. */
const TESTS_LIMIT_MINUTES = 40
/** For browsers and databases to end before what is left is killed. */
const GRACE_MS = 10_000
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
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  return count(name, status === 0)
}

/** Runs jest in a process group of its own, so that nothing is left of it when it is stopped. */
async function runJest(suites: string[], report: string, chromium = ''): Promise<void> {
  const reporters = ['default', './scripts/suite-reporter.ts'].map((each) => `--reporters=${each}`)
  const options = ['--silent=false', `--maxWorkers=${SUITES_AT_ONCE}`, ...reporters]
  const child = spawn('jest', [...options, '--runTestsByPath', ...suites], {
    cwd: root,
    stdio: 'inherit',
    detached: true,
    env: {
      ...process.env,
      CHROMIUM: chromium,
      SUITE_REPORT: report,
      NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
    },
  })
  const signal = (name: NodeJS.Signals) => process.kill(-Number(child.pid), name)
  const stop = () => {
    signal('SIGTERM')
    setTimeout(signal, GRACE_MS, 'SIGKILL').unref()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const timer = setTimeout(() => {
    console.error(`\nThe tests were stopped after ${TESTS_LIMIT_MINUTES} minutes.`)
    stop()
  }, TESTS_LIMIT_MINUTES * 60_000)
  await once(child, 'exit')
  clearTimeout(timer)
}

async function tests(suites: string[], chromium?: string): Promise<void> {
  console.log('\n— tests')
  const scratch = mkdtempSync(join(tmpdir(), 'gate-'))
  const file = join(scratch, 'suites.jsonl')
  await runJest(suites, file, chromium)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  const reports: SuiteReport[] = lines.map((line) => JSON.parse(line))
  rmSync(scratch, { recursive: true })
  for (const report of reports) {
    passed += report.passed
    failed.push(...report.failed.map((name) => `${report.suite}: ${name}`))
  }
  const ended = new Set(reports.map(({ suite }) => suite))
  failed.push(
    ...suites.filter((suite) => !ended.has(suite)).map((suite) => `${suite}: did not end`),
  )
}

/** A registry that does not answer is neither a pass nor a failure. */
function audit(): void {
  console.log('\n— known vulnerabilities')
  const { status } = spawnSync('node', ['scripts/audit.ts'], { cwd: root, stdio: 'inherit' })
  if (status !== 2) count('known vulnerabilities', status === 0)
}

// The content check runs first: it names a fault of a text in plain words.
if (step('texts', 'node', 'scripts/check-content.ts')) {
  step('format and lint', 'biome', 'ci', '--error-on-warnings')
  step('types', 'tsc')
}
if (!process.argv.includes('check')) {
  const built = step('build', 'node', 'scripts/prepare.js', 'build')
  const chromium = built ? provideChromium() : undefined
  const suites = globSync('test/**/*.test.ts', { cwd: root })
  const inBrowser = (suite: string) => suite.startsWith('test/browser/')
  if (!chromium) count('browser tests: no Chromium, or no bundle', false)
  await tests(chromium ? suites : suites.filter((suite) => !inBrowser(suite)), chromium)
  audit()
}
if (failed.length > 0) console.log(`\nFailed:\n${failed.map((name) => `  ${name}`).join('\n')}`)
console.log(`\n${passed} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0
