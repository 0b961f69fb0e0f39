import type { Express, Response } from 'express'
import { getPageAddress } from '../../shared/head.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import { refuseMethod } from '../errors.ts'
import type { RouteLabel } from '../requests/route-labels.ts'

/** /sitemap.xml and /robots.txt. */
export function addSitemap(app: Express, { origin }: { origin: string }): void {
  const urls = pages
    .filter(({ indexed }) => indexed)
    .flatMap((page) => {
      const getUrl = (language: (typeof LANGUAGES)[number]) =>
        getPageAddress(page, language, origin)
      const alternates = LANGUAGES.map(
        (language) =>
          `<xhtml:link rel="alternate" hreflang="${language}" href="${getUrl(language)}"/>`,
      ).join('')
      const own = page.language ? [page.language] : LANGUAGES
      return own.map((language) => `<url><loc>${getUrl(language)}</loc>${alternates}</url>`)
    })
  const sitemap = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...urls,
    '</urlset>',
  ].join('\n')
  const robots = `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`
  const send = (res: Response, label: RouteLabel, type: string, text: string) => {
    res.locals.label = label
    res.type(type).set('Cache-Control', 'no-cache').send(text)
  }

  app.get('/sitemap.xml', (_req, res) => send(res, 'sitemap', 'application/xml', sitemap))
  app.get('/robots.txt', (_req, res) => send(res, 'robots', 'text/plain', robots))
  app.all(['/sitemap.xml', '/robots.txt'], refuseMethod('sitemap', 'GET, HEAD'))
}
