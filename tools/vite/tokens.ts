import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sector } from '../../shared/constants.ts'

const SOURCE = readFileSync(join(import.meta.dirname, '../../client/styles/tokens.css'), 'utf8')

function findColour(css: string, name: string): string | undefined {
  return new RegExp(`--${name}:\\s*(#[0-9a-f]{3,6})`).exec(css)?.[1]
}

/** A colour of client/styles/tokens.css, by its name there. */
export function getColour(name: string): string {
  const colour = findColour(SOURCE, name)
  if (!colour) throw new Error(`tokens.css has no colour --${name}`)
  return colour
}

/** The colours that stand for a sector. */
export function getSectorColours(sector: Sector): { full: string; tint: string } {
  const block = SOURCE.split(`[data-sector="${sector}"]`)[1] ?? ''
  const [full, tint] = [findColour(block, 'sector'), findColour(block, 'sector-tint')]
  if (!full || !tint) throw new Error(`tokens.css has no colours for ${sector}`)
  return { full, tint }
}

/** `color-mix(in oklab, COLOUR, #000 SHARE)`: there, black by a share is linear light by the cube of the rest. */
export function mixWithBlack(colour: string, share: number): string {
  const channels = colour.match(/[0-9a-f]{2}/g) ?? []
  const mixed = channels.map((hex) => {
    const value = Number.parseInt(hex, 16) / 255
    const linear = value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    const dark = linear * (1 - share) ** 3
    const encoded = dark <= 0.0031308 ? dark * 12.92 : 1.055 * dark ** (1 / 2.4) - 0.055
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${mixed.join('')}`
}
