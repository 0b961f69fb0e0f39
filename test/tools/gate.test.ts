import { join } from 'node:path'
import { listTests } from '../../tools/gate/gate.ts'
import { ROOT } from '../../tools/harness/project.ts'

const passed = { fullName: 'adds', status: 'passed' }
const failed = { fullName: 'subtracts', status: 'failed' }
const skipped = { fullName: 'divides', status: 'pending' }

test.each([
  ['passed tests', 'passed', [passed], []],
  ['a failed test', 'failed', [passed, failed], ['test/a.test.ts: subtracts']],
  ['a skipped test', 'passed', [passed, skipped], ['test/a.test.ts: divides']],
  ['a suite that cannot run', 'failed', [], ['test/a.test.ts: failed outside its tests']],
  ['a hook that fails', 'failed', [passed], ['test/a.test.ts: failed outside its tests']],
])('the gate judges %s', (_, status, assertionResults, names) => {
  const tests = listTests({ name: join(ROOT, 'test/a.test.ts'), status, assertionResults })
  expect(tests.filter((each) => each.status !== 'passed').map(({ name }) => name)).toEqual(names)
})
