import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Mark } from '../../client/components/petals.tsx'
import type { Painter } from './rasterizer.ts'
import { getColour } from './tokens.ts'

export const ICON = join(import.meta.dirname, '../../client/public/icon.svg')

/** From edge to edge, for systems that cut their own corners; the mark stands in the circle that none of them cuts. */
function drawFullIcon(): string {
  const mark = renderToStaticMarkup(createElement(Mark))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" fill="${getColour('blanc')}">
    <rect width="100" height="100" fill="${getColour('sapin')}"/>
    <svg x="22" y="24" width="56" height="50">${mark}</svg>
  </svg>`
}

/** One PNG in an ICO: a header, a directory entry, the picture. */
function wrapIco(png: Uint8Array, size: number): Uint8Array {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.writeUInt8(size, 6)
  header.writeUInt8(size, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}

export type IconName = keyof typeof ICONS

export const ICONS = {
  'favicon.ico': (painter: Painter, icon: string) => wrapIco(painter.paint(icon, 32), 32),
  'apple-touch-icon.png': (painter: Painter) => painter.paint(drawFullIcon(), 180),
  'icon-192.png': (painter: Painter, icon: string) => painter.paint(icon, 192),
  'icon-512.png': (painter: Painter, icon: string) => painter.paint(icon, 512),
  'icon-maskable-512.png': (painter: Painter) => painter.paint(drawFullIcon(), 512),
}

export async function paintIcon(name: IconName, painter: Painter): Promise<Uint8Array> {
  return ICONS[name](painter, await readFile(ICON, 'utf8'))
}
