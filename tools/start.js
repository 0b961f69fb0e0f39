// Runs before the npm scripts, the first time on the machine's own Node (18 or newer). Installs missing or outdated
// packages, and with the argument `build` also builds a missing or outdated bundle. With `missing`, it keeps outdated
// packages, because the site may be running on them.
import { execSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const INSTALLED = 'node_modules/.package-lock.json'
const SOURCES = ['tools/vite', 'client', 'shared', 'vite.config.ts', INSTALLED]
const BUNDLE = 'dist/server/entry-server.js'

/** True if the packages are those of the lock file. npm leaves out optional ones that are for other machines. */
function hasPackages() {
  const [wanted, installed] = ['package-lock.json', INSTALLED].map(
    (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages,
  )
  return Object.entries(wanted).every(
    ([path, { integrity, optional }]) =>
      !path || (installed[path] ? installed[path].integrity === integrity : optional),
  )
}

/** Time in ms of the last change of a file, or of anything in a folder; 0 if it is missing. */
function getChangeTime(path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false })
  if (!stats) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  const times = readdirSync(join(root, path)).map((name) => getChangeTime(join(path, name)))
  return Math.max(stats.mtimeMs, ...times)
}

function run(reason, command) {
  console.error(`${reason}: ${command}`)
  execSync(command, { cwd: root, stdio: ['ignore', 2, 2] })
}

try {
  const isMissing = getChangeTime(INSTALLED) === 0
  if (isMissing || !(process.argv.includes('missing') || hasPackages())) {
    // Hide warnings about an old Node: `npm ci` also installs the package `node`, and the site runs on that.
    run('Installing the packages', 'npm ci --include=dev --loglevel=error')
  }
  const sourceTime = Math.max(...SOURCES.map(getChangeTime))
  if (process.argv.includes('build') && getChangeTime(BUNDLE) < sourceTime) {
    run('Building the site', 'npm run --silent build')
  }
} catch (error) {
  process.exit(error.status ?? 1)
}
