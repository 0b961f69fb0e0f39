import type { Response } from 'express'
import type { Logger } from '../log.ts'
import type { RouteLabel } from './routes.ts'

/** Contains only fixed words and a reference, no visitor's input. */
export interface LogFields {
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
      outcome?: LogFields
    }
  }
}

export function getRequestLog(res: Response): Logger {
  return res.locals.log.child({ requestId: res.locals.requestId })
}
