import type { Express } from 'express'
import { findPage } from '../../shared/pages.ts'
import { refuseMethod } from '../errors.ts'
import { getRequestLog } from '../log.ts'
import { createAddressLimit } from '../requests/address-limit.ts'
import { readJson } from '../requests/body.ts'
import { checkOrigin } from '../requests/origin.ts'
import { setLabel } from '../requests/route-labels.ts'
import type { Metrics } from './metrics/metrics.ts'

const MAX_BODY_BYTES = 8 * 1024
export const REPORT_LIMIT = { count: 10, windowMinutes: 1 }

// Does not call String(value), which throws on objects without a callable toString.
const toText = (value: unknown) => (typeof value === 'string' ? value : '')

type Parts = { publicOrigins: string[]; metrics?: Metrics }

/** POST /api/client-errors: logs a script error of a browser. */
export function addClientErrors(app: Express, { publicOrigins, metrics }: Parts): void {
  const limit = createAddressLimit(REPORT_LIMIT)
  app.post(
    '/api/client-errors',
    setLabel('client-errors'),
    checkOrigin(publicOrigins),
    limit.gate,
    (req, _res, next) => {
      limit.count(req)
      next()
    },
    readJson(MAX_BODY_BYTES),
    (_req, res) => {
      const { message, stack, path } = res.locals.body ?? {}
      const page = findPage(toText(path))?.id ?? 'not-found'
      metrics?.clientError(page)
      const report = { page, type: findType(toText(message)), places: findPlaces(toText(stack)) }
      getRequestLog(res).warn(report, 'a script failed in a browser')
      res.status(204).end()
    },
  )
  app.all('/api/client-errors', refuseMethod('client-errors', 'POST'))
}

const ERROR_NAME = /\b(?:Aggregate|Eval|Internal|Range|Reference|Security|Syntax|Type|URI)Error\b/
const REACT_ERROR = /\bMinified React error #\d{1,3}\b/

/** The message itself is not logged, because it may quote a visitor's input. */
export function findType(message: string): string {
  return (REACT_ERROR.exec(message) ?? ERROR_NAME.exec(message))?.[0] ?? 'Error'
}

const PLACE = /\/(assets\/[\w-]+\.js):(\d{1,7}):(\d{1,7})\b/g

/** The places in built scripts (assets/*.js) that a stack names, as `file:line:column`. */
export function findPlaces(stack: string): string[] {
  return [...stack.matchAll(PLACE)].map(([, file, line, column]) => `${file}:${line}:${column}`)
}
