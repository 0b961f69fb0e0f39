import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { quantile } from '../harness/numbers.ts'
import { CORES } from './processes.ts'

/** Number of decimals, and suffix, of each unit. */
const UNITS = {
  ratio: [2, ''],
  score: [0, ''],
  shift: [3, ''],
  ms: [1, ' ms'],
  s: [2, ' s'],
} as const

type Unit = keyof typeof UNITS

interface Figure {
  name: string
  value: number
  unit: Unit
  sign: '≥' | '≤'
  limit: number
}

export function atLeast(name: string, value: number, unit: Unit, limit: number): Figure {
  return { name, value, unit, sign: '≥', limit }
}

export function atMost(name: string, value: number, unit: Unit, limit: number): Figure {
  return { name, value, unit, sign: '≤', limit }
}

export interface Findings {
  title: string
  /** The method, in one to three sentences. */
  how: string
  figures: Figure[]
}

export const median = (values: number[]): number => quantile(values, 0.5)

/** The median of the ratios `ours / theirs`, one for each round. */
export function medianRatio(ours: number[], theirs: number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))
}

function write(value: number, unit: Unit): string {
  const [digits, suffix] = UNITS[unit]
  return value.toFixed(digits) + suffix
}

export function isMet({ value, sign, limit }: Figure): boolean {
  return sign === '≥' ? value >= limit : value <= limit
}

const PAGE = join(import.meta.dirname, '../../docs/performance.md')
/** The bench replaces the text between these marks. */
const BEGIN = '<!-- written by npm run bench -->'
const END = '<!-- until here -->'

function writeTable(figures: Figure[]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const rows = figures.map((figure) => {
    const { name, value, unit, sign, limit } = figure
    const verdict = isMet(figure) ? '' : 'NOT MET'
    return [name, write(value, unit), `${sign} ${write(limit, unit)}`, verdict]
  })
  return [['figure', 'measured', 'limit', ''], ['---', '--:', '--:', '--:'], ...rows]
    .map(line)
    .join('\n')
}

export function printFindings({ title, figures }: Findings): void {
  console.log(`\n${title}`)
  console.log(writeTable(figures))
}

function describeConditions(): string {
  const which = CORES ? 'different' : 'the same'
  const day = new Date().toISOString().slice(0, 10)
  return `Measured on ${day} with Node ${process.versions.node} on ${process.platform}, ${availableParallelism()} cores, the load generator and the server under load on ${which} cores; the site writes its log to a pipe.`
}

/** Writes the conditions, all figures, and the method of each part into docs/performance.md. */
export function writePage(findings: Findings[]): void {
  const figures = findings.flatMap((each) => each.figures)
  const methods = findings.map(({ title, how }) => `- **${title}**: ${how}`)
  const middle = [describeConditions(), writeTable(figures), methods.join('\n')]
  const [before, rest = ''] = readFileSync(PAGE, 'utf8').split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error(`${PAGE} must contain the marks ${BEGIN} and ${END}`)
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${middle.join('\n\n')}\n\n${END}${after}`)
}
