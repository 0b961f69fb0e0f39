import { parse } from 'node:querystring'
import cookieParser from 'cookie-parser'
import express, { type Express, type RequestHandler } from 'express'
import { addClientErrors } from './api/client-errors.ts'
import type { Metrics } from './api/metrics/metrics.ts'
import { addApiFallback, addHealth, addOpenApi } from './api/routes.ts'
import type { Config } from './config/config.ts'
import { addContact } from './contact/router.ts'
import { handleErrors } from './errors.ts'
import { remember } from './fast-path/remember.ts'
import type { Inbox } from './inbox/inbox.ts'
import type { Logger } from './log.ts'
import { createPageAnswers } from './pages/page-response.ts'
import type { Renderer } from './pages/renderer.ts'
import { createErrorPages, createPages, createUnknownPages } from './pages/router.ts'
import { addSitemap } from './pages/sitemap.ts'
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
  /** Called after a message was stored; must return at once. */
  onKept?: () => void
  /** Canonical origin. Without PUBLIC_URL it contains the port, so it is known only once the server listens. */
  origin: string
  /** Current time in epoch ms. */
  now: () => number
  /** Undefined if METRICS_PORT is not set. */
  metrics?: Metrics
  isStopping: () => boolean
  /** Set in development only; see createSecurityHeaders. */
  developmentNonce?: string
}

/** A request passes through the steps of the app in this order, until a step answers it. */
export function createApp(parts: Parts): Express {
  const { config, log, renderer, files, inbox, onKept, now, metrics, developmentNonce } = parts
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.set('query parser', remember(parse))
  app.set('trust proxy', config.trustProxy)

  const { https, publicOrigins } = config
  const { styleHashes } = renderer
  addToEveryAnswer(app, createSecurityHeaders({ https, developmentNonce, styleHashes }))
  const answerPage = createPageAnswers(parts)

  app.use(logRequests(log, metrics?.answered))
  if (config.trustProxy) app.use(warnOfPrivateAddresses(log))
  app.use(checkTarget(publicOrigins))
  app.use(cookieParser())
  app.use(createPages({ inbox, answerPage }))
  addHealth(app, parts)
  app.use(normalizePaths)
  app.use(files)
  addSitemap(app, parts)
  addOpenApi(app, parts)
  addClientErrors(app, { publicOrigins, metrics })
  addContact(app, { config, inbox, onKept, now, answerPage, metrics })
  addApiFallback(app)
  app.use(createUnknownPages(answerPage))
  app.use(createErrorPages(answerPage))
  app.use(handleErrors(config.contactLimit))
  return app
}
