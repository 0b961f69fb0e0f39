import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import type { Metrics } from '../api/metrics.ts'
import type { Logger } from '../log.ts'
import { cutAddress, findAddress } from './address.ts'
import type { RouteLabel } from './routes.ts'

/** Contains only fixed words and a reference, no visitor's input. */
interface LogFields {
  outcome?: string
  reference?: string
  /** Code of a refusal. */
  code?: string
  /** The store failed for this reason. */
  reason?: string
}

declare global {
  namespace Express {
    /** `res.locals`: values that one step of a request sets for later steps. */
    interface Locals {
      // Set by logRequests, the first step of each request.
      requestId: string
      log: Logger

      // Set by the step that answers. `label` is missing if no step recognized the request.
      label?: RouteLabel
      /** Added to the request's line in the log. */
      details?: LogFields
    }
  }
}

export function getRequestLog(res: Response): Logger {
  return res.locals.log.child({ requestId: res.locals.requestId })
}

// Any visitor can request the test pages, so their status 500 is not an error.
const isServerError = (page: string, status?: number) => status === 500 && !page.startsWith('test-')

/** Logs neither URL nor referer, because both may contain a visitor's text. */
export function logRequests(log: Logger, countAnswer?: Metrics['answered']): RequestHandler {
  return (req, res, next) => {
    const requestId = randomUUID()
    const start = performance.now()
    // Read the address now: a closed socket has none.
    const address = cutAddress(findAddress(req))
    res.locals.requestId = requestId
    res.locals.log = log
    res.on('close', () => {
      const durationMs = performance.now() - start
      const { label: page = 'none', details } = res.locals
      const left = !res.writableFinished || undefined
      const status = left && !res.headersSent ? undefined : res.statusCode
      countAnswer?.(page, left ? 'left' : res.statusCode, durationMs / 1000)
      const request = { requestId, method: req.method, page, status }
      const entry = { ...request, durationMs: Math.round(durationMs), address, left, ...details }
      if (isServerError(page, status)) log.error(entry, 'request answered with a server error')
      else if (page === 'health' && status === 200) log.debug(entry, 'request answered')
      else log.info(entry, 'request answered')
    })
    next()
  }
}
