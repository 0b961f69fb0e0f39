import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The exit codes: nothing that counts is known; something is; the registry did not say. */
const CLEAN = 0
const FOUND = 1
const UNKNOWN = 2

const root = join(import.meta.dirname, '../..')
/** How long the registry may take, in ms. */
const PATIENCE = 15_000

interface Advisory {
  title: string
  url: string
  severity: string
  range: string
}

interface Finding {
  name: string
  /** Advisories, and the names of packages through which it is affected. */
  via: (Advisory | string)[]
  /** Where it is installed. */
  nodes: string[]
}

function askRegistry(): { vulnerabilities?: Record<string, Finding>; message?: string } {
  const options = ['--json', '--package-lock-only', '--fetch-retries=0', '--fetch-timeout=10000']
  const { stdout } = spawnSync('npm', ['audit', ...options], {
    cwd: root,
    encoding: 'utf8',
    timeout: PATIENCE,
  })
  try {
    return JSON.parse(stdout)
  } catch {
    return { message: 'no answer' }
  }
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** What the server runs counts whatever its severity; of the tools and the bundle, what is high or critical. */
function counts({ nodes }: Finding, { severity }: Advisory): boolean {
  const served = nodes.some((place) => !lock.packages[place]?.dev)
  return served || severity === 'high' || severity === 'critical'
}

const { vulnerabilities, message } = askRegistry()
if (vulnerabilities) {
  const all = Object.values(vulnerabilities).flatMap((finding) =>
    finding.via
      .filter((each) => typeof each === 'object')
      .map((advisory) => ({ finding, advisory, failing: counts(finding, advisory) })),
  )
  for (const { finding, advisory, failing } of all) {
    const { title, url, severity, range } = advisory
    const line = `${finding.name} ${range}: ${title} (${severity}), ${url}`
    console[failing ? 'error' : 'log'](`${failing ? 'FAILS' : 'known'}: ${line}`)
  }
  const count = Object.keys(lock.packages).length - 1
  console.log(`${count} packages looked up, ${all.length} advisories`)
  process.exitCode = all.some(({ failing }) => failing) ? FOUND : CLEAN
} else {
  console.log(`Not looked up: the registry did not say what is known (${message}).`)
  process.exitCode = UNKNOWN
}
