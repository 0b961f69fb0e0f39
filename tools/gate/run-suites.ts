import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/compiled')
/** Time for browsers and databases to stop before SIGKILL. */
const GRACE_MS = 10_000

interface SuitesRun {
  /** The folder of the jest configuration; `suites` are relative to it. */
  root: string
  suites: string[]
  workers: number
  signal: AbortSignal
  environment?: Record<string, string>
  quiet?: boolean
  graceMs?: number
}

/**
 * Runs suites with jest. After an abort or a crash, `passed` still counts the suites that ended. `failed` names the tests
 * that failed, and the suites that could not run or did not end.
 */
export async function runSuites(run: SuitesRun) {
  const { root, suites, workers, signal, environment, quiet, graceMs = GRACE_MS } = run
  const scratch = mkdtempSync(join(tmpdir(), 'suites-'))
  const report = join(scratch, 'report.jsonl')
  // A failed test may leave a site or a browser. Jest would wait for it; this run ends it instead.
  const options = ['--silent=false', '--forceExit', `--maxWorkers=${workers}`]
  options.push('--reporters=default', `--reporters=${import.meta.filename}`)
  // `detached` makes a process group, so that the children of jest can be ended too.
  const child = spawn('jest', [...options, '--runTestsByPath', ...suites], {
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
  signal.addEventListener('abort', () => signalGroup(child, 'SIGTERM'))
  await once(child, 'exit').catch(console.error)
  await endGroup(child, signal.aborted ? graceMs : 0)
  const reports = existsSync(report) ? parseReport(readFileSync(report, 'utf8')) : []
  rmSync(scratch, { recursive: true })
  return summarize(suites, reports)
}

/** False when the process group is empty. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-Number(pid), signal)
  } catch {
    return false
  }
}

async function endGroup(child: ChildProcess, graceMs: number): Promise<void> {
  const end = Date.now() + graceMs
  while (signalGroup(child, 0) && Date.now() < end) await wait(50)
  signalGroup(child, 'SIGKILL')
}

function parseReport(text: string): SuiteReport[] {
  // Drop the text after the last line break: a killed process may leave an unfinished line.
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

function summarize(suites: string[], reports: SuiteReport[]) {
  const ended = new Set(reports.map(({ suite }) => suite))
  const missing = suites.filter((suite) => !ended.has(suite))
  return {
    passed: reports.reduce((sum, { passed }) => sum + passed, 0),
    failed: [
      ...reports.flatMap(({ suite, failed }) => failed.map((name) => `${suite}: ${name}`)),
      ...missing.map((suite) => `${suite}: did not end`),
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
  /** Full names of the failed tests, and `could not run` if the suite itself failed. */
  failed: string[]
}

/** When a suite ends, appends its results to the file SUITE_REPORT, so that an aborted run keeps them. */
export default class SuiteReporter {
  onTestFileResult(_test: object, { testFilePath, testResults, testExecError }: SuiteEnd): void {
    const withStatus = (status: string) => testResults.filter((test) => test.status === status)
    const failed = withStatus('failed').map(({ fullName }) => fullName)
    // Jest leaves the message empty for an error outside the tests, such as one of `afterAll`.
    const { message, stack = '' } = testExecError ?? {}
    const [reason] = (message || stack).trim().split('\n')
    if (testExecError) failed.push(`could not run: ${reason}`)
    const suite = relative(process.cwd(), testFilePath)
    const report: SuiteReport = { suite, passed: withStatus('passed').length, failed }
    appendFileSync(process.env.SUITE_REPORT ?? '', `${JSON.stringify(report)}\n`)
  }
}
