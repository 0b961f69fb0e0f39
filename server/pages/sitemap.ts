import type { RequestHandler } from 'express'
import { getPageAddress } from '../../shared/head.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import type { Routes } from '../requests/routes.ts'

export function createSitemapRoutes(origin: string): Routes {
  const urls = pages
    .filter(({ indexed }) => indexed)
    .flatMap((page) => {
      const languages = page.language ? [page.language] : LANGUAGES
      return languages.map((language) => getPageAddress(page, language, origin))
    })
  const sitemap = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls.map((url) => `<url><loc>${url}</loc></url>`),
    '</urlset>',
  ].join('\n')
  const robots = `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`
  const send =
    (type: string, text: string): RequestHandler =>
    (_req, res) => {
      res.type(type).set('Cache-Control', 'no-cache').send(text)
    }
  return {
    '/sitemap.xml': { GET: { label: 'sitemap', answer: send('application/xml', sitemap) } },
    '/robots.txt': { GET: { label: 'robots', answer: send('text/plain', robots) } },
  }
}
