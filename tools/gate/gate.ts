/** `npm test` runs all steps, or with arguments for jest only its suites; `npm run check` runs the first three steps. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { provideHeadlessChromium } from '../harness/browser.ts'
import { ROOT } from '../harness/project.ts'
import { findUnproved } from './specification.ts'

const REPORT = join(ROOT, 'node_modules/.cache/jest-report.json')
/** Far more than a step needs. */
const TIMEOUT_MS = 40 * 60_000

interface Result {
  name: string
  status: string
}

function run(name: string, command: string, ...args: string[]): Result {
  console.log(`\n— ${name}`)
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', timeout: TIMEOUT_MS })
  return { name, status: status === 0 ? 'passed' : 'failed' }
}

/** Each project of TypeScript repeats the errors of shared/. */
export const listErrors = (output: string) => [...new Set(output.trim().split(/\n(?=\S)/))]

function checkTypes(): Result {
  console.log('\n— types')
  const { status, stdout } = spawnSync('tsc', ['-b'], { cwd: ROOT, encoding: 'utf8' })
  console.log(listErrors(stdout).join('\n'))
  return { name: 'types', status: status === 0 ? 'passed' : 'failed' }
}

/** The part of jest's JSON report that the gate reads. */
interface SuiteReport {
  name: string
  status: string
  assertionResults: { title: string; fullName: string; status: string }[]
}

/** Lists the tests of a suite. A suite that could not run, or whose hooks failed, counts as a failed test. */
export function listTests({ name, status, assertionResults }: SuiteReport) {
  const suite = relative(ROOT, name)
  const tests = assertionResults.map((test) => ({
    ...test,
    suite,
    name: `${suite}: ${test.fullName}`,
  }))
  const isExplained = status === 'passed' || tests.some((test) => test.status !== 'passed')
  const outside = { suite, title: '', name: `${suite}: failed outside its tests`, status }
  return isExplained ? tests : [...tests, outside]
}

function runSuites(args: string[]): Result[] {
  process.env.CHROMIUM = provideHeadlessChromium()
  process.env.NODE_OPTIONS = '--experimental-vm-modules --disable-warning=ExperimentalWarning'
  // Halves the start of each Node process that a test starts.
  process.env.NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node')
  rmSync(REPORT, { force: true })
  const jest = run('jest', 'jest', '--json', `--outputFile=${REPORT}`, ...args)
  const text = existsSync(REPORT) ? readFileSync(REPORT, 'utf8') : '{ "testResults": [] }'
  const tests = (JSON.parse(text).testResults as SuiteReport[]).flatMap(listTests)
  if (args.length === 0) {
    const unproved = findUnproved(tests).map((name) => ({ name, status: 'failed' }))
    return [...judge(jest, tests), ...unproved]
  }
  const isNamed = args.some((arg) => /^(?:-t|--testNamePattern)/.test(arg))
  // With a name, jest skips all other tests.
  return judge(jest, isNamed ? tests.filter(({ status }) => status !== 'pending') : tests)
}

/** jest itself fails where no test ran, or where it failed without a failed test. */
export function judge(jest: Result, tests: Result[]): Result[] {
  const isFailed = tests.some(({ status }) => status !== 'passed')
  if (tests.length === 0) return [{ name: 'jest: no test was run', status: 'failed' }]
  return jest.status === 'passed' || isFailed ? tests : [...tests, jest]
}

function runSteps(isCheck: boolean, args: string[]): Result[] {
  const results: Result[] = []
  if (args.length === 0) {
    const texts = run('texts', 'node', 'tools/content/check-content.ts')
    // The other steps would repeat its faults in other words.
    if (texts.status === 'failed') return [texts]
    results.push(texts, run('format and lint', 'biome', 'ci', '--error-on-warnings'), checkTypes())
  }
  if (isCheck) return results
  return [...results, run('build', 'node', 'tools/start.js', 'build'), ...runSuites(args)]
}

if (import.meta.main) {
  const isCheck = process.argv[2] === 'check'
  const results = runSteps(isCheck, isCheck ? [] : process.argv.slice(2))
  const failed = results.filter(({ status }) => status !== 'passed').map(({ name }) => name)
  if (failed.length > 0) console.log(`\nFailed:\n${failed.map((name) => `  ${name}`).join('\n')}`)
  console.log(`\n${results.length - failed.length} passed, ${failed.length} failed`)
  process.exitCode = failed.length > 0 ? 1 : 0
}
