import type { Express, Response } from 'express'
import { getPageAddress } from '../../shared/head.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import { refuseMethod } from '../errors.ts'
import type { RouteLabel } from '../requests/route-labels.ts'

export function addSitemap(app: Express, { origin }: { origin: string }): void {
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
  const send = (res: Response, label: RouteLabel, type: string, text: string) => {
    res.locals.label = label
    res.type(type).set('Cache-Control', 'no-cache').send(text)
  }

  app.get('/sitemap.xml', (_req, res) => send(res, 'sitemap', 'application/xml', sitemap))
  app.get('/robots.txt', (_req, res) => send(res, 'robots', 'text/plain', robots))
  app.all(['/sitemap.xml', '/robots.txt'], refuseMethod('sitemap', 'GET, HEAD'))
}
