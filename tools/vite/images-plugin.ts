import type { Plugin } from 'vite'
import { CONTENT } from '../../shared/content/index.ts'
import { getSharePicturePath } from '../../shared/head.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import { ICON, ICONS } from './icons.ts'
import { createRasterizer, type Rasterizer } from './rasterizer.ts'
import { drawSharePicture } from './share-picture.tsx'
import { getColour } from './tokens.ts'

const { fr, en } = CONTENT

const manifest = {
  name: `${fr.brand.name} / ${en.brand.name}`,
  short_name: fr.brand.name,
  description: `${fr.brand.tagline} / ${en.brand.tagline}`,
  lang: 'fr-CA',
  dir: 'ltr',
  start_url: '/',
  scope: '/',
  display: 'browser',
  theme_color: getColour('foret'),
  background_color: getColour('neige'),
  icons: [
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
}

const files = new Map<string, (rasterizer: Rasterizer) => Uint8Array | string>([
  ['/site.webmanifest', () => JSON.stringify(manifest)],
])
for (const [name, draw] of Object.entries(ICONS)) {
  files.set(`/${name}`, (rasterizer) => draw(rasterizer, ICON))
}
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

/** Inlined: browsers request the icon during the first paint. */
const INLINE_ICON = `data:image/svg+xml,${encodeURIComponent(ICON.trim())}`

const tag = (tag: 'meta' | 'link', attrs: Record<string, string>) => ({
  tag,
  attrs,
  injectTo: 'head' as const,
})
const tags = [
  tag('meta', { name: 'theme-color', content: getColour('foret') }),
  tag('link', { rel: 'icon', href: '/favicon.ico', sizes: '32x32' }),
  tag('link', { rel: 'icon', href: INLINE_ICON, type: 'image/svg+xml' }),
  tag('link', { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' }),
]

/** Makes the icons, the web manifest and the share pictures: all in a build, each on request in development. */
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
