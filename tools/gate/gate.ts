/** `npm test` runs all steps, or with paths only their suites; `npm run check` runs the first three steps. */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { provideHeadlessChromium } from '../harness/browser.ts'
import { runSuites } from './run-suites.ts'

const root = join(import.meta.dirname, '../..')
const STEP_TIMEOUT_MS = 15 * 60_000

let passed = 0
const failed: string[] = []

function count(name: string, holds: boolean): boolean {
  if (holds) passed += 1
  else failed.push(name)
  return holds
}

function step(name: string, [command = '', ...args]: string[]): boolean {
  console.log(`\n— ${name}`)
  const options = { cwd: root, stdio: 'inherit', timeout: STEP_TIMEOUT_MS } as const
  const { status } = spawnSync(command, args, options)
  return count(name, status === 0)
}

const { positionals } = parseArgs({ allowPositionals: true })
const isCheck = positionals[0] === 'check'
const paths = isCheck ? [] : positionals
// The content check explains errors in the texts best, so the next two steps run only after it has passed.
if (paths.length === 0 && step('texts', ['node', 'tools/content/check-content.ts'])) {
  step('format and lint', ['biome', 'ci', '--error-on-warnings'])
  step('types', ['tsc', '-b'])
}
if (!isCheck) {
  const isBuilt = step('build', ['node', 'tools/start.js', 'build'])
  const chromium = isBuilt ? provideHeadlessChromium() : undefined
  if (!chromium) count('browser tests: there is no Chromium, or no bundle', false)
  const all = globSync('test/**/*.test.ts', { cwd: root })
  const suites = all.filter((suite) =>
    (paths.length > 0 ? paths : ['']).some((path) => suite.startsWith(path)),
  )
  if (suites.length === 0) count(`no suite begins with ${paths.join(' or ')}`, false)
  else {
    console.log('\n— tests')
    const result = await runSuites({
      root,
      suites: suites.filter((suite) => chromium || !suite.startsWith('test/browser/')),
      environment: { CHROMIUM: chromium ?? '' },
    })
    passed += result.passed
    failed.push(...result.failed)
  }
}
if (failed.length > 0) console.log(`\nFailed:\n${failed.map((name) => `  ${name}`).join('\n')}`)
console.log(`\n${passed} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0
