import { read } from '../harness/project.ts'

interface TestResult {
  suite: string
  title: string
  status: string
}

const ROWS = read('test/specification.txt')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(' | '))

/** The rows of the specification that no passed test of a whole run holds. */
export function findUnproved(results: TestResult[]): string[] {
  return ROWS.flatMap(([row, name, title = '']) => {
    const suite = `test/${name}.test.ts`
    // The title of a table has its values for `%s` and `$name`.
    const fragments = title.split(/%[.\d]*[sjd]|\$\w+/).map(RegExp.escape)
    const pattern = new RegExp(`^${fragments.join('.*')}$`)
    const isProved = results.some(
      (test) => test.suite === suite && test.status === 'passed' && pattern.test(test.title),
    )
    return isProved ? [] : [`specification, ${row}: no test “${title}” passed in ${suite}`]
  })
}
