import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { texts } from '../../shared/content/index.ts'
import { sharePicturePath } from '../../shared/head.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import { ICON, ICONS, type IconName, paintIcon } from './icons.ts'
import { createPainter, type Painter } from './rasterizer.ts'
import { paintSharePicture } from './share-picture.tsx'
import { getColour } from './tokens.ts'

type Make = (painter: Painter) => Uint8Array | string | Promise<Uint8Array>

const { fr, en } = texts

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

/** Every file that this plugin makes, by its path. */
const files = new Map<string, Make>([
  ['/site.webmanifest', () => JSON.stringify(manifest)],
  ...Object.keys(ICONS).map((name): [string, Make] => [
    `/${name}`,
    (painter) => paintIcon(name as IconName, painter),
  ]),
  ...pages
    .filter(({ indexed }) => indexed)
    .flatMap((page) =>
      LANGUAGES.map((language): [string, Make] => [
        sharePicturePath(page, language),
        (painter) => paintSharePicture(page, texts[language], painter),
      ]),
    ),
])

/** In the document itself: browsers ask for an icon while they make the first paint. */
const ICON_IN_PLACE = `data:image/svg+xml,${encodeURIComponent(readFileSync(ICON, 'utf8').trim())}`

const link = (attrs: Record<string, string>) => ({ tag: 'link', attrs, injectTo: 'head' as const })

const tags = [
  {
    tag: 'meta',
    attrs: { name: 'theme-color', content: getColour('foret') },
    injectTo: 'head' as const,
  },
  link({ rel: 'icon', href: '/favicon.ico', sizes: '32x32' }),
  link({ rel: 'icon', href: ICON_IN_PLACE, type: 'image/svg+xml' }),
  link({ rel: 'apple-touch-icon', href: '/apple-touch-icon.png' }),
]

/** Makes the icons, the web manifest and the pictures of shared links; a build writes them, development paints on demand. */
export function pictures(): Plugin {
  return {
    name: 'pictures',
    transformIndexHtml: { order: 'post', handler: () => tags },
    configureServer({ middlewares }) {
      middlewares.use(async (req, res, next) => {
        const path = req.url ?? ''
        const make = files.get(path)
        if (!make) return next()
        const type = /\.(\w+)$/.exec(path)?.[1] ?? ''
        res.setHeader('Content-Type', TYPES[type] ?? '')
        res.end(await make(await createPainter()))
      })
    },
    async generateBundle() {
      if (this.environment.name !== 'client') return
      const painter = await createPainter()
      for (const [path, make] of files) {
        this.emitFile({ type: 'asset', fileName: path.slice(1), source: await make(painter) })
      }
    },
  }
}

const TYPES: Record<string, string> = {
  png: 'image/png',
  ico: 'image/x-icon',
  webmanifest: 'application/manifest+json',
}
