import { join } from 'node:path'
import express, { type RequestHandler, type Response, Router } from 'express'
import expressStaticGzip from 'express-static-gzip'
import { PUBLISHED_FILE_POLICY } from '../requests/security-policy.ts'

/** The log omits files unless its level is debug. */
export const nameFile: RequestHandler = (_req, res, next) => {
  res.locals.page = 'file'
  next()
}

/** The client's scripts, styles and fonts. Their names change with their content. */
export function createAssets(folder: string): Router {
  const assets = Router({ caseSensitive: true })
  assets.use(
    '/assets',
    nameFile,
    expressStaticGzip(folder, {
      enableBrotli: true,
      orderPreference: ['br', 'gzip'],
      index: false,
      serveStatic: { fallthrough: false, redirect: false, immutable: true, maxAge: '1y' },
    }),
  )
  return assets
}

/** The files that the firm publishes: `/x.pdf` is x.pdf in this folder. */
export function createPublishedFiles(
  folder = join(import.meta.dirname, '../../client/public'),
): Router {
  const options = {
    index: false as const,
    redirect: false,
    setHeaders(res: Response, path: string) {
      res.locals.page = 'file'
      // Under the policy of the pages they would be black, without styles.
      if (/\.(?:svg|html?)$/i.test(path)) {
        res.set('Content-Security-Policy', PUBLISHED_FILE_POLICY)
      }
      // Other sites may show the files: pictures of shared links, for instance.
      res.set('Cross-Origin-Resource-Policy', 'cross-origin')
    },
  }
  const files = Router({ caseSensitive: true })
  // express.static ignores every other name that begins with a dot, such as .DS_Store.
  files.use('/.well-known', express.static(join(folder, '.well-known'), options))
  files.use(express.static(folder, options))
  return files
}
