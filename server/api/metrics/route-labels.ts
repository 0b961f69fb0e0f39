import { pages } from '../../../shared/pages.ts'

/**
 * Everything that log and metrics call a request by. The test pages are among them under names of
 * their own: who asks for /test-500 all day rings no alarm.
 */
export const ROUTE_LABELS: readonly string[] = [
  ...pages.map(({ id }) => id),
  'api/contact',
  'client-errors',
  'health',
  'file',
  'sitemap',
  'openapi',
  'test-error',
  'api',
  'refused',
  'none',
]
