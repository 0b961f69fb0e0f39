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
  /** Full names of the failed tests, and `could not run` if the suite itself failed. */
  failed: string[]
}

/** When a suite ends, appends its results to the file SUITE_REPORT, so that an aborted run keeps them. */
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
