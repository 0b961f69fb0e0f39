/** Exits with 1 if a vulnerability fails the gate, otherwise with 2 if the registry does not answer. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const REGISTRY_TIMEOUT_MS = 15_000
/** In the server's packages every severity fails; in packages for build and test only high and critical. */
const AUDITS = {
  server: ['--omit=dev', '--audit-level=info'],
  tools: ['--audit-level=high'],
}

function audit(options: string[]) {
  const quick = ['--json', '--package-lock-only', '--fetch-retries=0', '--fetch-timeout=10000']
  const { status, stdout } = spawnSync('npm', ['audit', ...quick, ...options], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    timeout: REGISTRY_TIMEOUT_MS,
  })
  // An unreachable registry gives JSON without vulnerabilities, or no JSON at all.
  const report: { vulnerabilities?: object } = stdout.startsWith('{') ? JSON.parse(stdout) : {}
  const { vulnerabilities } = report
  return vulnerabilities && { fails: status !== 0, names: Object.keys(vulnerabilities) }
}

for (const [packages, options] of Object.entries(AUDITS)) {
  const found = audit(options)
  if (!found) {
    console.log('Vulnerabilities not checked: the registry did not answer.')
    process.exit(process.exitCode ?? 2)
  }
  const { fails, names } = found
  console.log(`${packages}: ${fails ? 'FAILS' : 'passed'}; vulnerable: ${names.join() || 'none'}`)
  if (fails) process.exitCode = 1
}
if (process.exitCode) console.log('Run `npm audit` for the advisories.')
