import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Findings, isMet, printFindings, writePage } from './figures.ts'
import { FULL, type Pace, type Part, QUICK } from './rounds.ts'

const WITHOUT_A_BROWSER = ['get', 'posts', 'start']
/** The files in parts/, in the order of a whole run. */
const PARTS = [...WITHOUT_A_BROWSER, 'lighthouse']

const USAGE = `Usage: npm run bench -- [PART…] [--quick]
Parts: ${PARTS.join(' ')}. Without a part, all run and docs/performance.md is written.
--quick checks that the bench works: it writes nothing, and without a part runs ${WITHOUT_A_BROWSER.join(' ')}. Its figures mean nothing.`

async function run(names: string[], pace: Pace): Promise<Findings[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-'))
  const findings: Findings[] = []
  try {
    for (const name of names) {
      const { measure }: { measure: Part } = await import(`./parts/${name}.ts`)
      const found = await measure({
        pace,
        createFolder: () => mkdtempSync(join(scratch, `${name}-`)),
      })
      findings.push(found)
      printFindings(found)
    }
    return findings
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
})
const everything = values.quick ? WITHOUT_A_BROWSER : PARTS
if (positionals.every((name) => PARTS.includes(name))) {
  const names = positionals.length > 0 ? positionals : everything
  const findings = await run(names, values.quick ? QUICK : FULL)
  const figures = findings.flatMap((each) => each.figures)
  if (values.quick) console.log('quick: the bench works; its figures mean nothing')
  else {
    printFindings({ title: 'All figures', figures })
    if (positionals.length === 0) writePage(findings)
    process.exitCode = figures.every(isMet) ? 0 : 1
  }
} else {
  console.error(USAGE)
  process.exitCode = 2
}
process.exit()
