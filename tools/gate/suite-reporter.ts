import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'

/** The part of jest's `TestResult` that this reporter uses. */
interface SuiteEnd {
  testFilePath: string
  testResults: { status: string; fullName: string }[]
  testExecError?: unknown
}

export interface SuiteReport {
  suite: string
  passed: number
  /** Full names of tests, or `could not run`. */
  failed: string[]
}

/** Writes a line at the end of each suite, so that even a stopped run has results. */
export default class SuiteReporter {
  onTestFileResult(_test: object, { testFilePath, testResults, testExecError }: SuiteEnd): void {
    const withStatus = (status: string) => testResults.filter((test) => test.status === status)
    const failed = withStatus('failed').map(({ fullName }) => fullName)
    if (testExecError) failed.push('could not run')
    const suite = relative(process.cwd(), testFilePath)
    const report: SuiteReport = { suite, passed: withStatus('passed').length, failed }
    appendFileSync(process.env.SUITE_REPORT ?? '', `${JSON.stringify(report)}\n`)
  }
}
