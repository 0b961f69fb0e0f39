import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'

/** The part of jest's own types that is read here. */
interface Ended {
  testFilePath: string
  testResults: { status: string; fullName: string }[]
  testExecError?: unknown
}

/** One line of the report: a suite that ended. */
export interface SuiteReport {
  suite: string
  passed: number
  /** Full names; the suite itself where it could not run. */
  failed: string[]
}

/** Notes each suite as it ends, so that a run that is stopped still says how far it came. */
export default class SuiteReporter {
  onTestFileResult(_test: object, { testFilePath, testResults, testExecError }: Ended): void {
    const named = (status: string) => testResults.filter((test) => test.status === status)
    const failed = named('failed').map(({ fullName }) => fullName)
    if (testExecError) failed.push('could not run')
    const suite = relative(process.cwd(), testFilePath)
    const report: SuiteReport = { suite, passed: named('passed').length, failed }
    appendFileSync(process.env.SUITE_REPORT ?? '', `${JSON.stringify(report)}\n`)
  }
}
