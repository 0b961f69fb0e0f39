import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkContent } from '../../tools/content/check-content.ts'
import { run } from '../../tools/harness/process.ts'
import { createFolder } from '../support/folders.ts'
import { copyWithOtherContent } from '../support/other-content.ts'

/** These suites see the most facts and texts. */
const SUITES = [
  'test/shared/sentences',
  'test/server/pages/content',
  'test/server/mail/mails',
  'test/tools/check-content',
]
const TIMEOUT_MS = 15 * 60_000

const root = createFolder()

test(
  'with other facts and other texts that the check accepts, the tests pass too',
  async () => {
    copyWithOtherContent(root)
    expect(checkContent(root)).toEqual([])
    // Jest sets NODE_ENV to `test`, which React's server bundle does not support.
    const built = await run('vite', ['build', '--app'], { NODE_ENV: 'production' }, root)
    expect(built).toMatchObject({ status: 0 })
    const options = { NODE_OPTIONS: '--experimental-vm-modules' }
    const tested = await run('jest', ['-i', ...SUITES], options, root)
    expect(tested).toMatchObject({ status: 0, stderr: expect.stringMatching(/Tests: +\d+ passed/) })
    // After a fault of the texts, the other steps would repeat it in other words.
    writeFileSync(join(root, 'shared/content/fr/hero.json'), '{')
    const checked = await run(process.execPath, ['tools/gate/gate.ts', 'check'], {}, root)
    expect(checked.stdout).toMatch(/^— texts$[^—]*\n0 passed, 1 failed\n$/m)
  },
  TIMEOUT_MS,
)
