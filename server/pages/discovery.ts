import { type Brand, CONTENT } from '../../shared/content/index.ts'
import { getPageAddress } from '../../shared/head.ts'
import { DEFAULT_LANGUAGE, LANGUAGES, LOCALES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import type { RouteLabel, Routes } from '../requests/routes.ts'
import { answerConstant, compress } from './constant-answer.ts'

function writeSitemap(origin: string): string {
  const urls = pages
    .filter(({ indexed }) => indexed)
    .flatMap((page) => {
      const languages = page.language ? [page.language] : LANGUAGES
      return languages.map((language) => getPageAddress(page, language, origin))
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
    lang: LOCALES[DEFAULT_LANGUAGE],
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
export function createDiscoveryRoutes(origin: string): Routes {
  const robots = `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`
  const route = (label: RouteLabel, type: string, text: string): Routes[string] => ({
    GET: { label, answer: answerConstant(type, compress(text)) },
  })
  return {
    '/sitemap.xml': route('sitemap', 'application/xml; charset=utf-8', writeSitemap(origin)),
    '/robots.txt': route('robots', 'text/plain', robots),
    '/site.webmanifest': route('file', 'application/manifest+json', writeManifest()),
  }
}
