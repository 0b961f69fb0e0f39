/** `npm test` runs all steps, or with paths only their suites; `npm run check` runs the first three steps. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { provideHeadlessChromium } from '../harness/browser.ts'
import { ROOT } from '../harness/project.ts'

const REPORT = join(ROOT, 'node_modules/.cache/jest-report.json')
/** Far more than a step needs. */
const TIMEOUT_MS = 40 * 60_000

function run(name: string, command: string, ...args: string[]): { name: string; status: string } {
  console.log(`\n— ${name}`)
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', timeout: TIMEOUT_MS })
  return { name, status: status === 0 ? 'passed' : 'failed' }
}

/** The part of jest's JSON report that the gate reads. */
interface SuiteReport {
  name: string
  status: string
  assertionResults: { fullName: string; status: string }[]
}

/** Lists the tests of a suite. A suite that could not run, or whose hooks failed, counts as a failed test. */
export function listTests({ name, status, assertionResults }: SuiteReport) {
  const suite = relative(ROOT, name)
  const tests = assertionResults.map((each) => ({ ...each, name: `${suite}: ${each.fullName}` }))
  const isExplained = status === 'passed' || tests.some((test) => test.status !== 'passed')
  return isExplained ? tests : [...tests, { name: `${suite}: failed outside its tests`, status }]
}

function runSuites(paths: string[]) {
  process.env.CHROMIUM = provideHeadlessChromium()
  process.env.NODE_OPTIONS = '--experimental-vm-modules --disable-warning=ExperimentalWarning'
  // Halves the start of each Node process that a test starts.
  process.env.NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node')
  rmSync(REPORT, { force: true })
  // A failed test may leave a site or a browser: jest must not wait for it.
  const jest = run('jest', 'jest', '--json', `--outputFile=${REPORT}`, '--forceExit', ...paths)
  const text = existsSync(REPORT) ? readFileSync(REPORT, 'utf8') : '{ "testResults": [] }'
  return [jest, ...JSON.parse(text).testResults.flatMap(listTests)]
}

if (import.meta.main) {
  const isCheck = process.argv[2] === 'check'
  const paths = isCheck ? [] : process.argv.slice(2)
  const results = []
  if (paths.length === 0) {
    results.push(run('texts', 'node', 'tools/content/check-content.ts'))
    results.push(run('format and lint', 'biome', 'ci', '--error-on-warnings'))
    results.push(run('types', 'tsc', '-b'))
  }
  if (!isCheck) {
    results.push(run('build', 'node', 'tools/start.js', 'build'))
    results.push(...runSuites(paths))
  }
  const failed = results.filter(({ status }) => status !== 'passed').map(({ name }) => name)
  if (failed.length > 0) console.log(`\nFailed:\n${failed.map((name) => `  ${name}`).join('\n')}`)
  console.log(`\n${results.length - failed.length} passed, ${failed.length} failed`)
  process.exitCode = failed.length > 0 ? 1 : 0
}
