/** Exits with 1 if a vulnerability fails the gate, with 2 if the registry does not answer. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const REGISTRY_TIMEOUT_MS = 15_000

interface Advisory {
  title: string
  url: string
  severity: string
  range: string
}

interface Finding {
  name: string
  /** Advisories of this package, and names of its vulnerable dependencies. */
  via: (Advisory | string)[]
  /** The paths of the package, such as `node_modules/zod`. */
  nodes: string[]
}

function fetchFindings(): { vulnerabilities?: Record<string, Finding>; message?: string } {
  const options = ['--json', '--package-lock-only', '--fetch-retries=0', '--fetch-timeout=10000']
  const { stdout } = spawnSync('npm', ['audit', ...options], {
    cwd: root,
    encoding: 'utf8',
    timeout: REGISTRY_TIMEOUT_MS,
  })
  try {
    return JSON.parse(stdout)
  } catch {
    return { message: 'no answer' }
  }
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** In the server's packages every severity fails; in packages for build and test only high and critical. */
function isFailing({ nodes }: Finding, { severity }: Advisory): boolean {
  const runsOnServer = nodes.some((place) => !packages[place]?.dev)
  return runsOnServer || severity === 'high' || severity === 'critical'
}

const { vulnerabilities, message } = fetchFindings()
if (vulnerabilities) {
  let advisories = 0
  for (const finding of Object.values(vulnerabilities)) {
    for (const advisory of finding.via.filter((each) => typeof each === 'object')) {
      advisories += 1
      const { title, url, severity, range } = advisory
      const line = `${finding.name} ${range}: ${title} (${severity}), ${url}`
      if (isFailing(finding, advisory)) {
        console.error(`FAILS: ${line}`)
        process.exitCode = 1
      } else console.log(`allowed (not on the server, and not high): ${line}`)
    }
  }
  console.log(`${Object.keys(packages).length - 1} packages looked up, ${advisories} advisories`)
} else {
  console.log(`Vulnerabilities not checked: the registry did not answer (${message}).`)
  process.exitCode = 2
}
