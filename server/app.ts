import cookieParser from 'cookie-parser'
import express, { type Express, type RequestHandler } from 'express'
import type { PageState } from '../shared/page-state.ts'
import { createClientErrorRoutes } from './api/client-errors.ts'
import { createApiRoutes, createHealthRoutes } from './api/health-and-openapi.ts'
import type { Metrics } from './api/metrics.ts'
import type { Config } from './config/config.ts'
import { createContactRoutes } from './contact/contact-routes.ts'
import type { Store } from './inbox/store.ts'
import type { Logger } from './log.ts'
import { createDiscoveryRoutes } from './pages/discovery.ts'
import { createAnswerPage } from './pages/page-response.ts'
import { createBadPathPage, createPageRoutes, createUnknownPages } from './pages/page-routes.ts'
import { warnOfPrivateAddresses } from './requests/address.ts'
import { checkHeaders, checkHost } from './requests/host-check.ts'
import { logRequests } from './requests/log-requests.ts'
import { normalizePaths } from './requests/normalize-path.ts'
import { handleErrors } from './requests/problem.ts'
import { answerRoutes, type Routes } from './requests/routes.ts'
import { addToEveryAnswer, createSecurityHeaders } from './requests/security-headers.ts'

/** Of bundle-renderer.ts or, in development, vite-renderer.ts. */
export interface Renderer {
  /** A hash of all that the build puts into the documents; undefined in development. */
  build?: string
  /** CSP sources (`'sha256-…'`) of the style elements in the documents. */
  styleHashes?: string[]
  /** Resolves to the whole document; rejects if any part of the page throws. */
  render(state: PageState): Promise<string>
}

export interface Parts {
  config: Config
  log: Logger
  renderer: Renderer
  published: Routes
  /** The client's scripts, styles and fonts: from the bundle, or from Vite. */
  assets: RequestHandler
  /** Length of each line of the built scripts, by their paths without the first slash; empty in development. */
  scripts: ReadonlyMap<string, number[]>
  store: Store
  /** Called after a message was stored and queued to be mailed; must return at once. */
  wakeMailing?: () => void
  /** Canonical origin. Without PUBLIC_URL it contains the port, so it is known only once the server listens. */
  origin: string
  /** Current time in epoch ms. */
  now: () => number
  /** Undefined if METRICS_PORT is not set. */
  metrics?: Metrics
  /** True during a shutdown: GET /readyz then answers 503. */
  isStopping: () => boolean
  /** Set in development only; see createSecurityHeaders. */
  developmentNonce?: string
}

/** A request passes through these steps in order until one answers it. An error skips to the last two. */
export function createApp(parts: Parts): Express {
  const { config, log, renderer, assets, metrics, developmentNonce } = parts
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.set('query parser', 'simple')
  app.set('trust proxy', config.trustProxy)

  const { https, publicOrigins } = config
  const { styleHashes } = renderer
  addToEveryAnswer(app, createSecurityHeaders({ https, developmentNonce, styleHashes }))
  const answerPage = createAnswerPage(parts)

  app.use(logRequests(log, metrics?.answered))
  app.use(checkHeaders)
  // Probes of containers and proxies send an internal name or address as Host, so their routes come before checkHost.
  app.use(answerRoutes(createHealthRoutes(parts.isStopping)))
  if (config.trustProxy) app.use(warnOfPrivateAddresses(log))
  app.use(checkHost(publicOrigins))
  app.use(cookieParser())
  app.use(
    answerRoutes(
      createPageRoutes(parts.store, answerPage),
      createContactRoutes(parts, answerPage),
      createApiRoutes(parts.origin, config.contactLimit),
      createClientErrorRoutes(parts),
      createDiscoveryRoutes(parts.origin),
      parts.published,
    ),
  )
  app.use(normalizePaths)
  app.use(assets)
  app.use(createUnknownPages(answerPage))
  app.use(createBadPathPage(answerPage))
  app.use(handleErrors(config.contactLimit))
  return app
}
