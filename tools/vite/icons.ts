import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Mark } from '../../client/components/petals.tsx'
import type { Rasterizer } from './rasterizer.ts'
import { getColour } from './tokens.ts'

export const ICON = readFileSync(join(import.meta.dirname, '../../client/public/icon.svg'), 'utf8')

/** Without rounded corners: iOS and Android cut their own. The mark lies inside the circle that both keep. */
function drawFullIcon(): string {
  const mark = renderToStaticMarkup(createElement(Mark))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" fill="${getColour('blanc')}">
    <rect width="100" height="100" fill="${getColour('sapin')}"/>
    <svg x="22" y="24" width="56" height="50">${mark}</svg>
  </svg>`
}

/** An ICO file: header, one directory entry, the PNG. */
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

type Draw = (rasterizer: Rasterizer, icon: string) => Uint8Array

export const ICONS: Record<string, Draw> = {
  'favicon.ico': ({ toPng }, icon) => wrapIco(toPng(icon, 32), 32),
  'apple-touch-icon.png': ({ toPng }) => toPng(drawFullIcon(), 180),
  'icon-192.png': ({ toPng }, icon) => toPng(icon, 192),
  'icon-512.png': ({ toPng }, icon) => toPng(icon, 512),
  'icon-maskable-512.png': ({ toPng }) => toPng(drawFullIcon(), 512),
}
