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
const MAX_ERROR_TEXT_LENGTH = 500
/** Limit for one address. */
export const REPORT_LIMIT = { count: 10, windowMinutes: 1 }

// Not String(value), which throws on objects without a callable toString.
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
      const text = keepKnownWords(toText(message).slice(0, MAX_ERROR_TEXT_LENGTH))
      const report = { page, message: text, places: findPlaces(toText(stack)) }
      getRequestLog(res).warn(report, 'a script failed in a browser')
      res.status(204).end()
    },
  )
  app.all('/api/client-errors', refuseMethod('client-errors', 'POST'))
}

// Words of browsers' own error messages. Any other word may quote a visitor's input, so it is not logged.
const KNOWN_WORDS = new Set(
  `access argument arguments array assignment await before call called cannot class const constant constructor
  convert defined delete denied destructure dynamically error exceeded export expected failed fetch fetching
  function hydrating hydration import imported in initialization instance invalid is iterable json key length
  load loading local maximum missing module name network node not null number object of on out permission
  primitive promise properties property range read reading recursion redefine reference script set size stack
  storage string symbol syntax the to token type undefined unexpected variable while`.split(/\s+/),
)

const ERROR_NAME = /\b(?:Aggregate|Eval|Internal|Range|Reference|Security|Syntax|Type|URI)Error\b/
const REACT_ERROR = /\bMinified React error #\d{1,3}\b/

/** Replaces words outside KNOWN_WORDS by `…`, except error names; reduces a React error to its number. */
export function keepKnownWords(message: string): string {
  const [reactError] = REACT_ERROR.exec(message) ?? []
  if (reactError) return reactError
  const [name] = ERROR_NAME.exec(message) ?? []
  const words = message
    .replace(ERROR_NAME, ' ')
    .split(/[\s'"`():;,.[\]]+/)
    .filter(Boolean)
    .map((word) => (KNOWN_WORDS.has(word.toLowerCase()) ? word : '…'))
    .filter((word, index, all) => word !== '…' || all[index - 1] !== '…')
  return [...(name ? [`${name}:`] : []), ...words].join(' ')
}

const PLACE = /\/(assets\/[\w-]+\.js):(\d{1,7}):(\d{1,7})\b/g

/** The lines of a stack in the site's own files, as `file:line:column`. */
export function findPlaces(stack: string): string[] {
  return [...stack.matchAll(PLACE)].map(([, file, line, column]) => `${file}:${line}:${column}`)
}
