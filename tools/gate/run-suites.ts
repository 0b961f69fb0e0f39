import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/compiled')
/** Far more than the suites need. After this time they are killed. */
const TIMEOUT_MS = 40 * 60_000

interface SuitesRun {
  /** The folder of the jest configuration; `suites` are relative to it. */
  root: string
  suites: string[]
  environment?: Record<string, string>
  quiet?: boolean
  /** Kills the run. */
  signal?: AbortSignal
}

/** Runs suites with jest; names the tests that failed, and the suites that could not run or did not end. */
export async function runSuites(run: SuitesRun) {
  const { root, suites, environment, quiet, signal = AbortSignal.timeout(TIMEOUT_MS) } = run
  const scratch = mkdtempSync(join(tmpdir(), 'suites-'))
  const report = join(scratch, 'report.jsonl')
  writeFileSync(report, '')
  // A failed test may leave a site or a browser. Jest would wait for it; this run ends it instead.
  const options = ['--silent=false', '--forceExit', `--reporters=${import.meta.filename}`]
  // Suites often wait for disks, browsers and processes, so three suites at once keep two cores busy.
  options.push('--reporters=default', '--maxWorkers=3', '--runTestsByPath')
  // `detached` makes a process group, so that the children of jest can be killed too.
  const child = spawn('jest', [...options, ...suites], {
    cwd: root,
    stdio: quiet ? 'ignore' : 'inherit',
    detached: true,
    env: {
      ...process.env,
      ...environment,
      SUITE_REPORT: report,
      // Tests start hundreds of threads; without this cache, each thread strips the types of the same files again.
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
    },
  })
  function kill(): void {
    try {
      process.kill(-Number(child.pid), 'SIGKILL')
    } catch {} // The group is empty.
  }
  signal.addEventListener('abort', kill)
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, kill)
  await once(child, 'exit')
  kill()
  const lines = readFileSync(report, 'utf8').split('\n').slice(0, -1)
  rmSync(scratch, { recursive: true })
  const ended: SuiteReport[] = lines.map((line) => JSON.parse(line))
  const missing = suites.filter((each) => !ended.some(({ suite }) => suite === each))
  return {
    passed: ended.reduce((sum, { passed }) => sum + passed, 0),
    failed: [
      ...ended.flatMap(({ failed }) => failed),
      ...missing.map((each) => `${each}: did not end`),
    ],
  }
}

/** The part of jest's `TestResult` that this reporter uses. */
interface SuiteEnd {
  testFilePath: string
  testResults: { status: string; fullName: string }[]
  testExecError?: { message: string; stack?: string }
}

interface SuiteReport {
  suite: string
  passed: number
  failed: string[]
}

/** When a suite ends, appends its results to the file SUITE_REPORT, so that a killed run keeps them. */
export default class SuiteReporter {
  onTestFileResult(_test: object, { testFilePath, testResults, testExecError }: SuiteEnd): void {
    const suite = relative(process.cwd(), testFilePath)
    const passed = testResults.filter(({ status }) => status === 'passed').length
    const failures = testResults.filter(({ status }) => status === 'failed')
    const failed = failures.map(({ fullName }) => `${suite}: ${fullName}`)
    // Jest leaves the message empty for an error outside the tests, such as one of `afterAll`.
    const { message, stack = '' } = testExecError ?? {}
    const [reason] = (message || stack).trim().split('\n')
    if (testExecError) failed.push(`${suite}: could not run: ${reason}`)
    const report: SuiteReport = { suite, passed, failed }
    appendFileSync(process.env.SUITE_REPORT ?? '', `${JSON.stringify(report)}\n`)
  }
}
