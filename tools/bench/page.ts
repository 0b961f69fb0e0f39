import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { drawChart } from './chart.ts'
import type { Findings, Table } from './figures.ts'
import { toTable } from './print.ts'
import { CORES } from './processes.ts'

const DOCS = join(import.meta.dirname, '../../docs')
const PAGE = join(DOCS, 'performance.md')
const CHART = join(DOCS, 'pictures/performance.svg')

/** What stands between them in the page is the bench's own; the words around it are kept. */
const BEGIN = '<!-- written by npm run bench -->'
const END = '<!-- until here -->'

function writeTable({ head, rows }: Table): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    line(head),
    line(head.map((_, at) => (at === 0 ? '---' : '--:'))),
    ...rows.map(line),
  ].join('\n')
}

function describeConditions(): string {
  const pinned = CORES
    ? 'the load generator on one core and each measured server on another'
    : 'without cores of their own for the load generator and the servers'
  const day = new Date().toISOString().slice(0, 10)
  return `Measured on ${day} with Node ${process.versions.node} on ${process.platform}, ${availableParallelism()} cores, ${pinned}; the site as one process with all its middleware, its log written to a file. Load to 127.0.0.1 only.`
}

/** The middle of docs/performance.md. */
export function writeFindings(findings: Findings[], conditions: string): string {
  const figures = findings.flatMap((each) => each.figures).filter(({ limit }) => limit)
  const sections = findings.map(({ title, how, figures: own, tables }) => {
    const unlimited = own.filter(({ limit }) => !limit)
    const parts = [`### ${title}`, how, ...tables.map(writeTable)]
    if (unlimited.length > 0) {
      const { rows } = toTable(unlimited)
      parts.push(rows.map(([name, value]) => `- ${name}: ${value}`).join('\n'))
    }
    return parts.join('\n\n')
  })
  return [conditions, writeTable(toTable(figures)), ...sections].join('\n\n')
}

function getValue(findings: Findings[], name: string): number {
  const figure = findings.flatMap(({ figures }) => figures).find((each) => each.name === name)
  if (!figure) throw new Error(`No part has measured: ${name}`)
  return figure.value
}

/** Writes the findings of a whole run into docs/performance.md, and its chart. */
export function writePage(findings: Findings[]): void {
  const identity = getValue(findings, 'GET / (identity), of bare node:http')
  mkdirSync(dirname(CHART), { recursive: true })
  writeFileSync(
    CHART,
    drawChart({
      identity,
      br: getValue(findings, 'GET / (br), of bare node:http'),
      express: identity / getValue(findings, 'GET / (identity), of Express with helmet'),
      script: getValue(findings, 'script, home'),
    }),
  )
  const page = readFileSync(PAGE, 'utf8')
  const [before, rest = ''] = page.split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error(`${PAGE} does not say where the figures go`)
  const middle = writeFindings(findings, describeConditions())
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${middle}\n\n${END}${after}`)
}
