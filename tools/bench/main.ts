import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Findings, isMet, printFindings, writePage } from './figures.ts'
import type { Part } from './rounds.ts'

/** The files in parts/, in the order of a whole run. */
const PARTS = ['get', 'posts', 'start', 'lighthouse']

const USAGE = `Usage: npm run bench -- [PART…]
Parts: ${PARTS.join(' ')}. Without a part, all run and docs/performance.md is written.`

async function run(names: string[]): Promise<Findings[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-'))
  const findings: Findings[] = []
  try {
    for (const name of names) {
      const { measure }: { measure: Part } = await import(`./parts/${name}.ts`)
      const found = await measure(mkdtempSync(join(scratch, `${name}-`)))
      findings.push(found)
      printFindings(found)
    }
    return findings
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

const { positionals } = parseArgs({ allowPositionals: true })
if (positionals.every((name) => PARTS.includes(name))) {
  const findings = await run(positionals.length > 0 ? positionals : PARTS)
  const figures = findings.flatMap((each) => each.figures)
  if (positionals.length === 0) writePage(findings)
  process.exitCode = figures.every(isMet) ? 0 : 1
} else {
  console.error(USAGE)
  process.exitCode = 2
}
process.exit()
