import { quantile } from '../prove/report.ts'

/** One thing measured, and what it must be. */
export interface Figure {
  name: string
  value: number
  /** Empty for a ratio. */
  unit: '' | 'ms' | 's' | 'kB' | 'MB' | '/s'
  limit?: { least: number } | { most: number }
}

export interface Table {
  head: string[]
  rows: string[][]
}

/** What a part of the bench has found, and how. */
export interface Findings {
  title: string
  /** How it was measured, in whole sentences. */
  how: string
  figures: Figure[]
  tables: Table[]
}

const DIGITS = { '': 2, ms: 1, s: 2, kB: 1, MB: 1, '/s': 0 }

export const median = (values: number[]): number => quantile(values, 0.5)

/** The median of what each round's two figures are to each other. */
export function medianRatio(ours: number[], theirs: number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))
}

export function write(value: number, unit: Figure['unit']): string {
  const number = value.toLocaleString('en-CA', {
    minimumFractionDigits: DIGITS[unit],
    maximumFractionDigits: DIGITS[unit],
  })
  return number.replaceAll(',', ' ') + (unit && unit !== '/s' ? ` ${unit}` : unit)
}

/** Undefined for what has no limit. */
export function isMet({ value, limit }: Figure): boolean | undefined {
  if (!limit) return undefined
  return 'least' in limit ? value >= limit.least : value <= limit.most
}

export function writeLimit({ limit, unit }: Figure): string {
  if (!limit) return ''
  return 'least' in limit ? `≥ ${write(limit.least, unit)}` : `≤ ${write(limit.most, unit)}`
}
