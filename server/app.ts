import cookieParser from 'cookie-parser'
import express, { type Express, type RequestHandler } from 'express'
import helmet from 'helmet'
import { type ApiDeps, apiRoutes } from './api/api-routes.ts'
import { type HealthDeps, healthRoutes } from './api/health.ts'
import type { Config } from './config.ts'
import { type ContactDeps, contactRoutes } from './contact/contact-routes.ts'
import type { Logger } from './log.ts'
import { discoveryRoutes } from './pages/discovery.ts'
import { createSendErrorPage } from './pages/error-pages.ts'
import { notFound, pageRoutes } from './pages/page-routes.ts'
import { createSendPage, type PageDeps } from './pages/send-page.ts'
import { createRequireAddress } from './requests/address.ts'
import { chooseLanguage } from './requests/language.ts'
import { logRequests } from './requests/log-requests.ts'
import { normalizePaths } from './requests/paths.ts'
import { answerErrors } from './requests/problem.ts'
import { forbidFeatures, securityPolicy } from './requests/security-policy.ts'

export type Parts = HealthDeps &
  ContactDeps &
  ApiDeps &
  PageDeps & {
    config: Config
    log: Logger
    /** Counts the requests, if METRICS_PORT is set. */
    countRequest?: RequestHandler
    /** Counts a page or call that is answered with 500. */
    countError?: (place: string) => void
    /** The built scripts, styles and fonts, or Vite's middleware; then what the firm publishes. */
    files: RequestHandler[]
  }

/** A request passes through these steps in order until one answers it. An error skips to the last. */
export function createApp(parts: Parts): Express {
  const { config, log, renderer, countRequest, countError, files } = parts
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', config.trustProxy)
  const sendPage = createSendPage(parts)

  app.use(createRequireAddress(log, config.trustProxy))
  app.use(logRequests(log))
  if (countRequest) app.use(countRequest)
  app.use(helmet(securityPolicy(config, renderer)), forbidFeatures)
  app.use(cookieParser(), chooseLanguage)
  app.use(pageRoutes(sendPage))
  app.use(contactRoutes(parts, sendPage))
  app.use(apiRoutes(parts), healthRoutes(parts), discoveryRoutes(parts.origin))
  app.use(normalizePaths)
  app.use(files)
  app.use(notFound)
  app.use(answerErrors(config.contactLimit, createSendErrorPage(renderer, sendPage), countError))
  return app
}
