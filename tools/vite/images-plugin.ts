import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Plugin } from 'vite'
import { Mark } from '../../client/components/petals.tsx'
import { CONTENT } from '../../shared/content/index.ts'
import { getSharePicturePath } from '../../shared/head.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import { createRasterizer, getColour, type Rasterizer } from './drawing.ts'
import { drawSharePicture } from './share-picture.tsx'

const { fr, en } = CONTENT

const ICON = readFileSync(join(import.meta.dirname, '../../client/public/icon.svg'), 'utf8')

/** Draws an icon with square corners: iOS and Android round the corners themselves, without cutting into the mark. */
function drawFullIcon(): string {
  const mark = renderToStaticMarkup(createElement(Mark))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" fill="${getColour('color-surface')}">
    <rect width="100" height="100" fill="${getColour('color-accent')}"/>
    <svg x="22" y="24" width="56" height="50">${mark}</svg>
  </svg>`
}

/** Returns an ICO file: the header, one directory entry, and the PNG. */
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

const manifest = {
  name: `${fr.brand.name} / ${en.brand.name}`,
  short_name: fr.brand.name,
  description: `${fr.brand.tagline} / ${en.brand.tagline}`,
  lang: 'fr-CA',
  dir: 'ltr',
  start_url: '/',
  scope: '/',
  display: 'browser',
  theme_color: getColour('color-dark'),
  background_color: getColour('color-page'),
  icons: [
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
}

const files = new Map<string, (rasterizer: Rasterizer) => Uint8Array | string>([
  ['/site.webmanifest', () => JSON.stringify(manifest)],
  ['/favicon.ico', ({ toPng }) => wrapIco(toPng(ICON, 32), 32)],
  ['/apple-touch-icon.png', ({ toPng }) => toPng(drawFullIcon(), 180)],
  ['/icon-192.png', ({ toPng }) => toPng(ICON, 192)],
  ['/icon-512.png', ({ toPng }) => toPng(ICON, 512)],
  ['/icon-maskable-512.png', ({ toPng }) => toPng(drawFullIcon(), 512)],
])
for (const page of pages.filter(({ indexed }) => indexed)) {
  for (const language of LANGUAGES) {
    files.set(getSharePicturePath(page, language), (rasterizer) =>
      drawSharePicture(page, CONTENT[language], rasterizer),
    )
  }
}

const CONTENT_TYPES: Record<string, string> = {
  png: 'image/png',
  ico: 'image/x-icon',
  webmanifest: 'application/manifest+json',
}

/** The icon is inlined, because browsers would otherwise request it during the first paint. */
const INLINE_ICON = `data:image/svg+xml,${encodeURIComponent(ICON.trim())}`

const tag = (tag: 'meta' | 'link', attrs: Record<string, string>) => ({
  tag,
  attrs,
  injectTo: 'head' as const,
})
const tags = [
  tag('meta', { name: 'theme-color', content: getColour('color-dark') }),
  tag('link', { rel: 'icon', href: '/favicon.ico', sizes: '32x32' }),
  tag('link', { rel: 'icon', href: INLINE_ICON, type: 'image/svg+xml' }),
  tag('link', { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' }),
]

/** A build makes all files; development makes each file on request. */
export function images(): Plugin {
  return {
    name: 'images',
    transformIndexHtml: { order: 'post', handler: () => tags },
    configureServer({ middlewares }) {
      middlewares.use(async (req, res, next) => {
        const path = req.url ?? ''
        const make = files.get(path)
        if (!make) return next()
        const extension = /\.(\w+)$/.exec(path)?.[1] ?? ''
        res.setHeader('Content-Type', CONTENT_TYPES[extension] ?? '')
        res.end(make(await createRasterizer()))
      })
    },
    async generateBundle() {
      if (this.environment.name !== 'client') return
      const rasterizer = await createRasterizer()
      for (const [path, make] of files) {
        this.emitFile({ type: 'asset', fileName: path.slice(1), source: make(rasterizer) })
      }
    },
  }
}
