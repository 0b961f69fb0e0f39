import type { RequestHandler } from 'express'
import { type PageId, pages } from '../../shared/pages.ts'
import { Refusal } from '../errors.ts'

const OTHER_LABELS = [
  'api/contact',
  'contact-form',
  'client-errors',
  'health',
  'file',
  'redirect',
  'sitemap',
  'robots',
  'openapi',
  'test-error',
  'api',
  'refused',
  'none',
] as const

/** Name in logs and metrics for the route of a request; contains no input of a visitor. */
export type RouteLabel = PageId | (typeof OTHER_LABELS)[number]

/** Pages that test errors, such as test-500, have their own labels, which the alarm ServerErrors ignores. */
export const ROUTE_LABELS: readonly RouteLabel[] = [...pages.map(({ id }) => id), ...OTHER_LABELS]

export interface Route {
  label: RouteLabel
  answer: RequestHandler
}

/** The routes of each path, by method. GET also answers HEAD. */
export type Routes = Record<string, Partial<Record<'GET' | 'POST', Route>>>

/** Answers requests for these exact paths. Other methods of a path get 405. */
export function answerRoutes(...tables: Routes[]): RequestHandler {
  const methodsByPath = new Map<string, Map<string, Route>>()
  for (const [path, { GET, POST }] of tables.flatMap(Object.entries<Routes[string]>)) {
    const methods = methodsByPath.getOrInsertComputed(path, () => new Map())
    if (GET) methods.set('GET', GET).set('HEAD', GET)
    if (POST) methods.set('POST', POST)
  }
  return (req, res, next) => {
    const methods = methodsByPath.get(req.path)
    if (!methods) {
      next()
      return
    }
    const route = methods.get(req.method)
    const [first] = methods.values()
    res.locals.label = (route ?? first)?.label
    if (route) return route.answer(req, res, next)
    const Allow = [...methods.keys()].join(', ')
    throw new Refusal('method-not-allowed', { headers: { Allow } })
  }
}
