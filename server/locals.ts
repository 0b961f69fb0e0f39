import type { Logger } from './log.ts'
import type { RouteLabel } from './requests/route-labels.ts'

declare global {
  namespace Express {
    /** `res.locals`: values that one step of a request hands to the next. */
    interface Locals {
      // Set by logRequests, the first step of each request.
      requestId: string
      log: Logger

      // Set by the step that answers; missing when no step recognized the request.
      label?: RouteLabel

      // Set by readJson and readForm.
      body?: Record<string, unknown>
    }
  }
}
