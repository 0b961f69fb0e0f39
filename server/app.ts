import cookieParser from 'cookie-parser'
import express, { type Express, type RequestHandler } from 'express'
import { createApiErrors } from './api/api-fallback.ts'
import { createClientErrors } from './api/client-errors.ts'
import { createHealth } from './api/health.ts'
import type { Metrics } from './api/metrics/metrics.ts'
import { createOpenApi } from './api/openapi/router.ts'
import type { Config } from './config/config.ts'
import { createContact } from './contact/router.ts'
import { handleErrors } from './errors.ts'
import type { Inbox } from './inbox/inbox.ts'
import type { Logger } from './log.ts'
import { createPageAnswers } from './pages/page-response.ts'
import type { Renderer } from './pages/renderer.ts'
import { createErrorPages, createMissing, createPages } from './pages/router.ts'
import { createSitemap } from './pages/sitemap.ts'
import { warnOfPrivateAddresses } from './requests/address.ts'
import { checkTarget } from './requests/host-check.ts'
import { logRequests } from './requests/log-requests.ts'
import { normalizePaths } from './requests/normalize-path.ts'
import { addToEveryAnswer, createSecurityHeaders } from './requests/security-headers.ts'

export interface Parts {
  config: Config
  log: Logger
  renderer: Renderer
  /** The client's files: from the bundle, or from Vite. */
  files: RequestHandler
  inbox: Inbox
  /** Is called when a message was kept, and must return at once. */
  onKept?: () => void
  /** The canonical origin, known once the server listens. */
  origin: string
  /** The time in ms. */
  now: () => number
  /** Missing where nobody reads them. */
  metrics?: Metrics
  isStopping: () => boolean
  /** Set in development only, see createSecurityHeaders. */
  developmentNonce?: string
}

/** The whole order in which a request is looked at. */
export function createApp(parts: Parts): Express {
  const { config, log, files, inbox, developmentNonce } = parts
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.set('query parser', 'simple')
  app.set('trust proxy', config.trustProxy)

  const headers = createSecurityHeaders({
    https: config.https,
    developmentNonce,
    styleHashes: parts.renderer.styleHashes,
  })
  addToEveryAnswer(app, headers)
  const answerPage = createPageAnswers(parts)

  app.use(logRequests(log, parts.metrics?.answered))
  if (config.trustProxy) app.use(warnOfPrivateAddresses(log))
  app.use(checkTarget(config.publicOrigins))
  app.use(cookieParser())
  // A page leaves here, most often from the cache.
  app.use(createPages({ inbox, answerPage }))
  app.use(createHealth(parts))
  app.use(normalizePaths)
  app.use(files)
  app.use(createSitemap(parts))
  app.use(createOpenApi(parts))
  app.use(createClientErrors({ ...config, metrics: parts.metrics }))
  app.use(createContact({ ...parts, answerPage }))
  app.use('/api', createApiErrors())
  app.use(createMissing(answerPage))
  app.use(createErrorPages(answerPage))
  app.use(handleErrors(config.contactLimit))
  return app
}
