import { quantile } from '../harness/numbers.ts'

/** Digits and suffix of each unit. */
const UNITS = {
  ratio: [2, ''],
  score: [0, ''],
  shift: [3, ''],
  count: [0, ''],
  ms: [1, ' ms'],
  s: [2, ' s'],
  kB: [1, ' kB'],
  MB: [1, ' MB'],
  '/s': [0, '/s'],
} as const

export interface Figure {
  name: string
  value: number
  unit: keyof typeof UNITS
  limit?: { least: number } | { most: number }
}

export const atLeast = (
  name: string,
  value: number,
  unit: Figure['unit'],
  least: number,
): Figure => ({
  name,
  value,
  unit,
  limit: { least },
})

export const atMost = (
  name: string,
  value: number,
  unit: Figure['unit'],
  most: number,
): Figure => ({
  name,
  value,
  unit,
  limit: { most },
})

export interface Table {
  head: string[]
  rows: string[][]
}

export interface Findings {
  title: string
  /** The method, in one or two sentences. */
  how: string
  figures: Figure[]
  /** Details for the console. */
  table?: Table
}

export const median = (values: number[]): number => quantile(values, 0.5)

/** The median of the ratios of the rounds. */
export function medianRatio(ours: number[], theirs: number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))
}

export function write(value: number, unit: Figure['unit']): string {
  const [digits, suffix] = UNITS[unit]
  const number = value.toLocaleString('en-CA', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return number.replaceAll(',', ' ') + suffix
}

/** Undefined without a limit. */
export function isMet({ value, limit }: Figure): boolean | undefined {
  if (!limit) return undefined
  return 'least' in limit ? value >= limit.least : value <= limit.most
}

export function writeLimit({ limit, unit }: Figure): string {
  if (!limit) return ''
  return 'least' in limit ? `≥ ${write(limit.least, unit)}` : `≤ ${write(limit.most, unit)}`
}
