import { type PageId, pages } from '../../shared/pages.ts'

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

/** Pages that test errors, such as test-500, have their own labels, which the alarms ignore. */
export const ROUTE_LABELS: readonly RouteLabel[] = [...pages.map(({ id }) => id), ...OTHER_LABELS]
