import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import { createAnswerLog, type LogFields } from '../fast-path/answer-log.ts'
import type { Logger } from '../log.ts'
import { cutAddress, findAddress } from './address.ts'
import type { RouteLabel } from './routes.ts'

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

/** Counts an answer. Status `left`: the connection closed before the end of the answer. */
export type CountAnswer = (label: RouteLabel, status: number | 'left', seconds: number) => void

/** Logs neither URL nor referer, because both may contain a visitor's text. createAnswerLog chooses the level. */
export function logRequests(log: Logger, countAnswer?: CountAnswer): RequestHandler {
  const logAnswer = createAnswerLog(log)
  return (req, res, next) => {
    const requestId = randomUUID()
    const start = performance.now()
    // Read the address now: a closed socket has none.
    const address = findAddress(req)
    res.locals.requestId = requestId
    res.locals.log = log
    res.on('close', () => {
      const durationMs = performance.now() - start
      const { label: page = 'none', outcome } = res.locals
      const status = res.statusCode
      const left = !res.writableFinished
      countAnswer?.(page, left ? 'left' : status, durationMs / 1000)
      logAnswer({
        requestId,
        method: req.method,
        page,
        status,
        durationMs: Math.round(durationMs),
        address: cutAddress(address),
        left,
        outcome,
      })
    })
    next()
  }
}
