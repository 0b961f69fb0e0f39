import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { SuiteReport } from './suite-reporter.ts'

const REPORTER = join(import.meta.dirname, 'suite-reporter.ts')
const SEQUENCER = join(import.meta.dirname, 'suite-sequencer.ts')
const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/compiled')
/** For browsers and databases to end before what is left is killed. */
const GRACE_MS = 10_000

export interface SuitesResult {
  /** How many tests passed. */
  passed: number
  /** Each test that failed, and each suite that did not end, by name. */
  failed: string[]
}

interface SuitesRun {
  /** The folder with the suites and the configuration of jest. */
  root: string
  /** Paths from there. */
  suites: string[]
  /** How many run at once. */
  workers: number
  /** Stops the run. */
  signal: AbortSignal
  environment?: Record<string, string>
  /** Leaves out what jest prints. */
  quiet?: boolean
  /** How long processes may take to end by themselves when the run is stopped. */
  graceMs?: number
}

/** Runs suites with jest. A run that is stopped, or that crashes, still tells what ended before. */
export async function runSuites(run: SuitesRun): Promise<SuitesResult> {
  const { root, suites, workers, signal, environment, quiet, graceMs = GRACE_MS } = run
  const scratch = mkdtempSync(join(tmpdir(), 'suites-'))
  const report = join(scratch, 'report.jsonl')
  const options = ['--silent=false', `--maxWorkers=${workers}`]
  options.push('--reporters=default', `--reporters=${REPORTER}`, `--testSequencer=${SEQUENCER}`)
  // A process group of its own, so that nothing is left of it when it is stopped.
  const child = spawn('jest', [...options, '--runTestsByPath', ...suites], {
    cwd: root,
    stdio: quiet ? 'ignore' : 'inherit',
    detached: true,
    env: {
      ...process.env,
      ...environment,
      SUITE_REPORT: report,
      // Each of hundreds of threads would strip the same types anew.
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
    },
  })
  signal.addEventListener('abort', () => signalGroup(child, 'SIGTERM'))
  await once(child, 'exit').catch(console.error)
  if (signal.aborted) await endGroup(child, graceMs)
  const reports = existsSync(report) ? parseLines(readFileSync(report, 'utf8')) : []
  rmSync(scratch, { recursive: true })
  return summarize(suites, reports)
}

/** False when nothing is left of the group. */
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

/** A process that was killed may have left its last line unfinished. */
function parseLines(text: string): SuiteReport[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return whole
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

function summarize(suites: string[], reports: SuiteReport[]): SuitesResult {
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
