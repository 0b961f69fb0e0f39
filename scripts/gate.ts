import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provideChromium } from './chromium.ts'

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'gate-'))
/** How long a step may take, in ms: the last line is printed whatever hangs. */
const PATIENCE = 8 * 60_000

const counts = { passed: 0, failed: 0 }

function run(command: string, args: string[], environment: Record<string, string> = {}): boolean {
  const env = { ...process.env, ...environment }
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env,
    timeout: PATIENCE,
  })
  return status === 0
}

function count(passed: boolean): void {
  counts[passed ? 'passed' : 'failed'] += 1
}

/** A step that passes or fails as a whole. */
function step(name: string, command: string, ...args: string[]): boolean {
  console.log(`\n— ${name}`)
  const passed = run(command, args)
  count(passed)
  return passed
}

/** How many suites run at once, on two cores or more: those in a browser wait most of their time. */
const AT_ONCE = { 'unit and API tests': 2, 'browser tests': 3 }

/** Tests, each counted; a suite that cannot run counts as a failure. */
function jest(
  name: keyof typeof AT_ONCE,
  paths: string[],
  environment: Record<string, string> = {},
): void {
  console.log(`\n— ${name}`)
  const report = join(scratch, 'report.json')
  const options = ['--json', `--outputFile=${report}`, '--testLocationInResults=false']
  options.push(`--maxWorkers=${AT_ONCE[name]}`)
  run('jest', [...options, '--silent=false', ...paths], {
    ...environment,
    NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
  })
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'))
    counts.passed += result.numPassedTests
    counts.failed += result.numFailedTests + result.numRuntimeErrorTestSuites
    if (result.numTotalTests === 0) counts.failed += 1
  } catch {
    counts.failed += 1
  }
  rmSync(report, { force: true })
}

/** Whether a package has a known vulnerability: a registry that does not answer is neither a pass nor a failure. */
function audit(): void {
  console.log('\n— known vulnerabilities')
  const { status } = spawnSync('node', ['scripts/audit.ts'], { cwd: root, stdio: 'inherit' })
  if (status !== 2) count(status === 0)
}

function browserTests(): void {
  const chromium = provideChromium()
  if (chromium) {
    jest('browser tests', ['test/browser'], { CHROMIUM: chromium })
    return
  }
  console.error('\nNo Chromium could be provided, so the browser tests did not run.')
  count(false)
}

// An edited text is answered in plain words, before the tools for code say it in theirs.
if (step('texts', 'node', 'scripts/check-content.ts')) {
  step('format and lint', 'biome', 'ci', '--error-on-warnings')
  step('types', 'tsc')
}
if (!process.argv.includes('check')) {
  const built = step('build', 'node', 'scripts/prepare.js', 'build')
  jest('unit and API tests', ['test/shared', 'test/server', 'test/client', 'test/build'])
  if (built) browserTests()
  audit()
}
rmSync(scratch, { recursive: true })
console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = counts.failed > 0 ? 1 : 0
