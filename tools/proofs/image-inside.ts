import type { Container } from './engine.ts'
import type { ProofParts } from './main.ts'

/** Runs a script in the container; its last expression is what it prints. */
async function evaluate(container: Container, script: string): Promise<string> {
  const { status, stdout, stderr } = await container.exec('node', '-p', script)
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}

const FIND_TOOLS = `
  const { readdirSync } = require('node:fs');
  const tools = ['npm', 'npx', 'corepack', 'yarn', 'yarnpkg', 'pnpm'];
  ['/usr', '/opt', '/site', '/home', '/root'].flatMap((folder) => {
    try { return readdirSync(folder, { recursive: true }).map((name) => folder + '/' + name) }
    catch { return [] }
  }).filter((path) => tools.includes(path.split('/').pop())).join()`

const FIND_WRITABLE = `
  const { writeFileSync, rmSync } = require('node:fs');
  ['/', '/site', '/site/server', '/tmp', '/var/tmp', '/etc', '/home', '/run', '/data'].filter((folder) => {
    try { writeFileSync(folder + '/proof', ''); rmSync(folder + '/proof'); return true }
    catch { return false }
  }).join()`

const COUNT_PACKAGES = `
  Object.keys(require('/site/node_modules/.package-lock.json').packages).length`

const READ_PROCESS = `
  const text = require('node:fs').readFileSync('/proc/1/status', 'utf8');
  ['Uid', 'CapEff', 'NoNewPrivs'].map((name) => new RegExp(name + ':\\\\s*(\\\\w+)').exec(text)[1]).join()`

/** What is in a container, and what it may do. */
export async function claimConfinement(
  container: Container,
  report: ProofParts['report'],
): Promise<void> {
  const tools = await evaluate(container, FIND_TOOLS)
  report.claim(`no package manager in it${tools && `: ${tools}`}`, tools === '')
  report.note(`${await evaluate(container, COUNT_PACKAGES)} packages in it`)
  const [uid, capabilities, noNewPrivileges] = (await evaluate(container, READ_PROCESS)).split(',')
  report.claim(`runs as user ${uid}`, Number(uid) > 0)
  report.claim(`capabilities: ${capabilities}`, Number.parseInt(capabilities ?? '1', 16) === 0)
  report.claim('gains no privileges', noNewPrivileges === '1')
  const writable = await evaluate(container, FIND_WRITABLE)
  report.claim(`writable: ${writable}`, writable === '/data')
}
