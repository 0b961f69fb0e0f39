import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Findings, isMet, printFindings, writePage } from './figures.ts'
import { FULL, type Pace, type Part, QUICK } from './rounds.ts'

/** The parts, in the order of a whole run. */
const PARTS: Record<string, () => Promise<{ measure: Part }>> = {
  get: () => import('./parts/get.ts'),
  render: () => import('./parts/render.ts'),
  posts: () => import('./parts/posts.ts'),
  start: () => import('./parts/start.ts'),
  memory: () => import('./parts/memory.ts'),
  visits: () => import('./parts/visits.ts'),
  interaction: () => import('./parts/interaction.ts'),
  interactive: () => import('./parts/interactive.ts'),
  lighthouse: () => import('./parts/lighthouse.ts'),
}

/** Parts that need a browser; `--quick` leaves them out unless they are named. */
const IN_A_BROWSER = ['visits', 'interaction', 'interactive', 'lighthouse']

const USAGE = `Usage: npm run bench -- [PART…] [--quick]
Parts: ${Object.keys(PARTS).join(' ')}. Without a part, all run and docs/performance.md is written.
--quick checks that the bench works; its figures mean nothing.`

async function run(names: string[], pace: Pace): Promise<Findings[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-'))
  const findings: Findings[] = []
  try {
    for (const name of names) {
      const part = await PARTS[name]?.()
      const createFolder = () => mkdtempSync(join(scratch, `${name}-`))
      const found = await part?.measure({ pace, createFolder })
      if (!found) continue
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
  options: {
    quick: { type: 'boolean', default: false },
  },
})
const everything = Object.keys(PARTS).filter(
  (name) => !values.quick || !IN_A_BROWSER.includes(name),
)
if (positionals.every((name) => name in PARTS)) {
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
