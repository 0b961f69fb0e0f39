import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Figure, type Findings, isMet, type Table, write, writeLimit } from './figures.ts'
import { CORES } from './processes.ts'

const PAGE = join(import.meta.dirname, '../../docs/performance.md')
/** The bench replaces the text between these marks. */
const BEGIN = '<!-- written by npm run bench -->'
const END = '<!-- until here -->'

function toTable(figures: Figure[]): Table {
  const judge = (figure: Figure) => ({ true: 'met', false: 'NOT MET' })[String(isMet(figure))] ?? ''
  return {
    head: ['figure', 'measured', 'limit', ''],
    rows: figures.map((figure) => [
      figure.name,
      write(figure.value, figure.unit),
      writeLimit(figure),
      judge(figure),
    ]),
  }
}

function printTable({ head, rows }: Table): void {
  const lines = [head, ...rows]
  const widths = head.map((_, at) => Math.max(...lines.map((row) => row[at]?.length ?? 0)))
  for (const row of lines) {
    const cells = row.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    )
    console.log(`  ${cells.join('  ')}`)
  }
}

export function printFindings({ title, figures, table }: Findings): void {
  console.log(`\n${title}`)
  if (table) printTable(table)
  printTable(toTable(figures))
}

export function printSummary(figures: Figure[]): void {
  console.log('\nAll figures')
  printTable(toTable(figures))
}

function writeTable({ head, rows }: Table): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, at) => (at === 0 ? '---' : '--:'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

function describeConditions(): string {
  const pinned = CORES
    ? 'the load generator on one core and each server on another'
    : 'without cores of their own for the load generator and the servers'
  const day = new Date().toISOString().slice(0, 10)
  return `Measured on ${day} with Node ${process.versions.node} on ${process.platform}, ${availableParallelism()} cores, ${pinned}; the site as one process with all its middleware, its log written to a file, load from 127.0.0.1.`
}

/** Writes the figures with a limit, and the method of each part, into docs/performance.md. */
export function writePage(findings: Findings[]): void {
  const figures = findings.flatMap((each) => each.figures).filter(({ limit }) => limit)
  const methods = findings.map(({ title, how }) => `- **${title}**: ${how}`)
  const middle = [describeConditions(), writeTable(toTable(figures)), methods.join('\n')]
  const [before, rest = ''] = readFileSync(PAGE, 'utf8').split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error(`${PAGE} lacks the marks ${BEGIN} and ${END}`)
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${middle.join('\n\n')}\n\n${END}${after}`)
}
