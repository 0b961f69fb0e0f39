import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sector } from '../../shared/constants.ts'

const SOURCE = readFileSync(join(import.meta.dirname, '../../client/styles/tokens.css'), 'utf8')

/** The colour `--name` of client/styles/tokens.css. */
export function getColour(name: string, css = SOURCE): string {
  const colour = new RegExp(`--${name}:\\s*(#[0-9a-f]{3,6})`).exec(css)?.[1]
  if (!colour) throw new Error(`tokens.css has no colour --${name}`)
  return colour
}

export function getSectorColours(sector: Sector): { full: string; tint: string } {
  const block = SOURCE.split(`[data-sector="${sector}"]`)[1] ?? ''
  return { full: getColour('sector', block), tint: getColour('sector-tint', block) }
}
