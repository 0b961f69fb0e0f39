import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { Sector } from '../../shared/constants.ts'

const TOKENS = readFileSync(join(import.meta.dirname, '../../client/styles/tokens.css'), 'utf8')

/** The colour `--name` of client/styles/tokens.css. */
export function getColour(name: string, css = TOKENS): string {
  const colour = new RegExp(`--${name}:\\s*(#[0-9a-f]{3,6})`).exec(css)?.[1]
  if (!colour) throw new Error(`tokens.css has no colour --${name}`)
  return colour
}

export function getSectorColours(sector: Sector): { full: string; tint: string } {
  const block = TOKENS.split(`[data-sector="${sector}"]`)[1] ?? ''
  return { full: getColour('sector', block), tint: getColour('sector-tint', block) }
}

const { resolve } = createRequire(import.meta.url)
const FONT = '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff2'

export const TITLE_FONT = {
  fontFamily: 'Bricolage Grotesque',
  fontWeight: 700,
  letterSpacing: '-0.015em',
}
const MEASURED_SIZE = 100

export interface Rasterizer {
  toPng(svg: string, width?: number): Uint8Array
  /** The width of a line in the title font. */
  measure(text: string, size: number): number
}

let ready: Promise<void> | undefined

export async function createRasterizer(): Promise<Rasterizer> {
  ready ??= readFile(resolve('@resvg/resvg-wasm/index_bg.wasm')).then((wasm) => initWasm(wasm))
  await ready
  const font = { fontBuffers: [new Uint8Array(await readFile(resolve(FONT)))] }
  const widths = new Map<string, number>()
  return {
    toPng(svg, width) {
      const fitTo = width ? ({ mode: 'width', value: width } as const) : undefined
      return new Resvg(svg, { font, fitTo }).render().asPng()
    },
    measure(text, size) {
      const width = widths.get(text) ?? new Resvg(drawLine(text), { font }).getBBox()?.width ?? 0
      widths.set(text, width)
      return (width * size) / MEASURED_SIZE
    },
  }
}

function drawLine(line: string): string {
  const { fontFamily, fontWeight, letterSpacing } = TITLE_FONT
  const font = `font-family="${fontFamily}" font-weight="${fontWeight}" font-size="${MEASURED_SIZE}"`
  const text = line.replace(/[&<]/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="200"><text y="100" ${font} letter-spacing="${letterSpacing}">${text}</text></svg>`
}
