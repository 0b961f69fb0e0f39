import type { RequestHandler } from 'express'
import { findPage, pages } from '../../shared/pages.ts'
import { Refusal } from '../errors.ts'
import { redirect, refuseMethod } from '../requests/paths.ts'
import type { SendPage } from './send-page.ts'

const refuseOthers = refuseMethod('GET, HEAD')

/** The pages of the route table, each by one look-up. contact-routes.ts has the contact page. */
export function pageRoutes(sendPage: SendPage): RequestHandler {
  const routes = new Map(pages.map(({ path = '', id }) => [path, id]))
  routes.delete('')
  routes.delete('/contact')
  return (req, res, next) => {
    const id = routes.get(req.path)
    if (!id) return next()
    res.locals.page = id
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuseOthers(req, res, next)
    return sendPage(req, res, id)
  }
}

/** The last step: redirects a page's path in another case, and refuses every other path. */
export const notFound: RequestHandler = (req, res) => {
  const page = findPage(req.path.toLowerCase())
  if (!page?.path) throw new Refusal('not-found')
  redirect(req, res, page.path)
}
