import { type RequestHandler, Router } from 'express'
import { pages } from '../../shared/pages.ts'
import { Refusal } from '../errors.ts'
import { refuseMethod } from '../requests/paths.ts'
import type { SendPage } from './send-page.ts'

/** Every page of the route table, and the 404 page for all other paths. contact-routes.ts has the contact page. */
export function pageRoutes(sendPage: SendPage): Router {
  const router = Router({ strict: true, caseSensitive: true })
  for (const { id, path } of pages) {
    if (!path || id === 'contact') continue
    router
      .route(path)
      .get((req, res) => sendPage(req, res, id))
      .all(refuseMethod('GET, HEAD'))
  }
  const sendNotFound: RequestHandler = (req, res) => sendPage(req, res, 'not-found')
  const refuseUnknown: RequestHandler = () => {
    throw new Refusal('not-found')
  }
  router.use('/api', refuseUnknown)
  router.use(sendNotFound)
  return router
}
