import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { encodePalettePng } from './png.ts'

const { resolve } = createRequire(import.meta.url)
const FONT = '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff2'

export const TITLE_FONT = {
  fontFamily: 'Bricolage Grotesque',
  fontWeight: 700,
  letterSpacing: '-0.015em',
}
const WORD_SIZE = 100
const SPACE_WIDTH = 0.24

/** Paints SVG that is written in the title font. */
export interface Painter {
  paint(svg: string, width?: number): Uint8Array
  /** For a picture without transparency. */
  paintOpaque(svg: string): Uint8Array
  /** How wide a text of the title font stands at a size. */
  measure(text: string, size: number): number
}

let ready: Promise<void> | undefined

export async function createPainter(): Promise<Painter> {
  ready ??= readFile(resolve('@resvg/resvg-wasm/index_bg.wasm')).then((wasm) => initWasm(wasm))
  await ready
  const font = { fontBuffers: [new Uint8Array(await readFile(resolve(FONT)))] }
  const widths = new Map<string, number>()
  const widthOf = (word: string) => {
    const known = widths.get(word) ?? new Resvg(drawWord(word), { font }).getBBox()?.width ?? 0
    widths.set(word, known)
    return known
  }
  return {
    paint(svg, width) {
      const fitTo = width ? ({ mode: 'width', value: width } as const) : undefined
      return new Resvg(svg, { font, fitTo }).render().asPng()
    },
    paintOpaque(svg) {
      const { pixels, width, height } = new Resvg(svg, { font }).render()
      return encodePalettePng(pixels, width, height)
    },
    measure(text, size) {
      const words = text.split(' ')
      const widths = words.map((word) => widthOf(word) / WORD_SIZE)
      return size * (widths.reduce((sum, width) => sum + width) + SPACE_WIDTH * (words.length - 1))
    },
  }
}

function drawWord(word: string): string {
  const { fontFamily, fontWeight, letterSpacing } = TITLE_FONT
  const font = `font-family="${fontFamily}" font-weight="${fontWeight}" font-size="${WORD_SIZE}"`
  const text = word.replace(/[&<]/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="200"><text y="100" ${font} letter-spacing="${letterSpacing}">${text}</text></svg>`
}
