import { Router } from 'express'
import { type Brand, CONTENT } from '../../shared/content/index.ts'
import { getPageUrl } from '../../shared/head.ts'
import { DEFAULT_LANGUAGE, LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import { refuseMethod } from '../requests/paths.ts'

function writeSitemap(origin: string): string {
  const urls = pages
    .filter(({ indexed }) => indexed)
    .flatMap((page) => {
      const languages = page.language ? [page.language] : LANGUAGES
      return languages.map((language) => getPageUrl(page, language, origin))
    })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls.map((url) => `<url><loc>${url}</loc></url>`),
    '</urlset>',
  ].join('\n')
}

function writeManifest(): string {
  const join = (key: keyof Brand) =>
    [...new Set(LANGUAGES.map((language) => CONTENT[language].brand[key]))].join(' / ')
  return JSON.stringify({
    name: join('name'),
    short_name: CONTENT[DEFAULT_LANGUAGE].brand.name,
    description: join('tagline'),
    lang: DEFAULT_LANGUAGE,
    start_url: '/',
    scope: '/',
    display: 'browser',
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  })
}

/** The files by which search engines and browsers get to know the site. */
export function discoveryRoutes(origin: string): Router {
  const files = [
    ['/sitemap.xml', 'application/xml', writeSitemap(origin)],
    ['/robots.txt', 'text/plain', `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`],
    ['/site.webmanifest', 'application/manifest+json', writeManifest()],
  ] as const
  const router = Router({ strict: true, caseSensitive: true })
  for (const [path, type, text] of files) {
    router
      .route(path)
      .get((_req, res) => res.type(type).set('Cache-Control', 'no-cache').send(text))
      .all(refuseMethod('GET, HEAD'))
  }
  return router
}
