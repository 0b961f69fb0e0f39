import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { checkContent } from '../../tools/content/check-content.ts'
import { runSuites } from '../../tools/gate/run-suites.ts'
import { createFolder } from '../support/folders.ts'
import { copyWithOtherContent } from '../support/other-content.ts'

/** The suites that see facts or texts; the others take far longer than a minute. */
const SUITES = [
  'test/browser/layout.test.ts',
  'test/server/{contact,pages}/*.test.ts',
  'test/server/inbox/command-languages.test.ts',
  'test/server/mail/letters.test.ts',
  'test/shared/*.test.ts',
  'test/tools/check-content.test.ts',
]
const TIMEOUT_MS = 15 * 60_000

const root = createFolder()

test(
  'with other facts and other texts that the check accepts, the tests pass too',
  async () => {
    copyWithOtherContent(root)
    expect(checkContent(root, 'en').faults).toEqual([])
    // Jest sets NODE_ENV to `test`, which React's server bundle does not support.
    const env = { ...process.env, NODE_ENV: 'production' }
    const built = spawnSync('vite', ['build', '--app'], { cwd: root, env, encoding: 'utf8' })
    expect({ built: built.status === 0 || built.stderr }).toEqual({ built: true })
    const suites = globSync(SUITES, { cwd: root })
    const { passed, failed } = await runSuites({ root, suites })
    expect(failed).toEqual([])
    expect(passed).toBeGreaterThan(500)
  },
  TIMEOUT_MS,
)
