import type { Request, Response } from 'express'
import { findPage } from '../../shared/pages.ts'
import type { Parts } from '../app.ts'
import { readJson } from '../requests/body.ts'
import { createFloodLimit } from '../requests/flood-limit.ts'
import { getRequestLog } from '../requests/log-requests.ts'
import { checkOrigin } from '../requests/origin.ts'
import type { Routes } from '../requests/routes.ts'

const MAX_BODY_BYTES = 8 * 1024
/** More frames than these say nothing new about an error. */
const MAX_PLACES = 3
export const REPORT_LIMIT = { count: 10, windowMinutes: 1 }

// Does not call String(value), which throws on objects without a callable toString.
const toText = (value: unknown) => (typeof value === 'string' ? value : '')

type ReportDeps = Pick<Parts, 'config' | 'scripts' | 'metrics'>

/** POST /api/client-errors: logs a script error of a browser. */
export function createClientErrorRoutes({ config, scripts, metrics }: ReportDeps): Routes {
  const limit = createFloodLimit(REPORT_LIMIT)

  const answer = async (req: Request, res: Response): Promise<void> => {
    checkOrigin(req, config.publicOrigins)
    limit.check(req)
    limit.count(req)
    const { message, stack, path } = await readJson(req, res, MAX_BODY_BYTES)
    const page = findPage(toText(path))?.id ?? 'not-found'
    metrics?.clientError(page)
    const places = findPlaces(toText(stack), scripts)
    getRequestLog(res).warn(
      { page, type: findType(toText(message)), places },
      'a script failed in a browser',
    )
    res.status(204).end()
  }
  return { '/api/client-errors': { POST: { label: 'client-errors', answer } } }
}

const ERROR_NAME = /\b(?:Aggregate|Eval|Internal|Range|Reference|Security|Syntax|Type|URI)Error\b/
const REACT_ERROR = /\bMinified React error #\d{1,3}\b/

/** The message itself is not logged, because it may quote a visitor's input. */
export function findType(message: string): string {
  return (REACT_ERROR.exec(message) ?? ERROR_NAME.exec(message))?.[0] ?? 'Error'
}

const PLACE = /\/(assets\/[\w.-]+\.js):(\d{1,7}):(\d{1,7})\b/g

/** The first places of a stack in built scripts, as `file:line:column`. A made-up place could hold personal data. */
export function findPlaces(stack: string, scripts: ReportDeps['scripts']): string[] {
  return stack
    .matchAll(PLACE)
    .filter(([, file = '', line, column]) => {
      const length = scripts.get(file)?.[Number(line) - 1]
      return length !== undefined && Number(column) <= length + 1
    })
    .map(([, file, line, column]) => `${file}:${line}:${column}`)
    .take(MAX_PLACES)
    .toArray()
}
