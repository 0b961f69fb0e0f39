// Runs before the npm scripts, on whatever Node the machine has (18 or newer): installs the packages
// when they are missing or older than the lock file, and with `build` makes the bundle likewise.
import { execSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = ['tools/vite', 'client', 'shared', 'vite.config.ts', 'package-lock.json']
const BUNDLE = 'dist/server/entry-server.js'

/** When a file, or the newest file of a folder, was last written, in ms; 0 when there is none. */
function writtenAt(path) {
  let stats
  try {
    stats = statSync(join(root, path))
  } catch {
    return 0
  }
  if (!stats.isDirectory()) return stats.mtimeMs
  const times = readdirSync(join(root, path)).map((name) => writtenAt(join(path, name)))
  return Math.max(stats.mtimeMs, ...times)
}

function run(reason, command) {
  console.error(`${reason}: ${command}`)
  execSync(command, { cwd: root, stdio: ['ignore', 2, 2] })
}

try {
  if (writtenAt('node_modules/.package-lock.json') < writtenAt('package-lock.json')) {
    // Some packages warn about the Node of this machine: they are run by the one that is installed here.
    run('Installing the packages', 'npm ci --include=dev --loglevel=error')
  }
  if (process.argv.includes('build') && writtenAt(BUNDLE) < Math.max(...SOURCES.map(writtenAt))) {
    run('Building the site', 'npm run --silent build')
  }
} catch (error) {
  process.exit(error.status ?? 1)
}
