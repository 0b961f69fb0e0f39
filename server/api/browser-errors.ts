import express, { type RequestHandler } from 'express'
import { rateLimit } from 'express-rate-limit'
import { findPage, type PageId } from '../../shared/pages.ts'
import { Refusal } from '../errors.ts'
import { BROWSERS, countErrors } from '../inbox/measure.ts'
import type { Store } from '../inbox/store.ts'
import type { Logger } from '../log.ts'
import { getNetwork } from '../requests/address.ts'
import { createCheckOrigin } from '../requests/origin.ts'

const MAX_BODY_BYTES = 8 * 1024
const MINUTE_MS = 60_000
const REPORTS_PER_MINUTE = 10
/** The log shows the first errors of a minute. */
const MAX_EXAMPLES = 5

interface BrowserErrorDeps {
  publicOrigins: string[]
  /** Names of the built scripts. */
  scripts: ReadonlySet<string>
  store: Store
  log: Logger
  /** Counts in the metrics. */
  count?: () => void
}

interface Report {
  page: PageId
  type: string
  /** `FILE:LINE:COLUMN` of a built script. */
  location?: string
}

const ERROR_NAME = /\b(?:Aggregate|Eval|Internal|Range|Reference|Security|Syntax|Type|URI)Error\b/
const REACT_ERROR = /\bMinified React error #\d{1,3}\b/
const LOCATION = /\/assets\/([\w.-]{1,100}\.js)(:\d{1,7}:\d{1,7})\b/g

const toText = (value: unknown) => (typeof value === 'string' ? value : '')

/** Takes only names of errors and locations in built scripts: the message itself may quote a visitor's input. */
function readReport(body: unknown, scripts: ReadonlySet<string>): Report {
  const { message, stack, path } = Object(body)
  if (!toText(message) && !toText(stack)) throw new Refusal('empty-report')
  const text = toText(message)
  const type = (REACT_ERROR.exec(text) ?? ERROR_NAME.exec(text))?.[0] ?? 'Error'
  const locations = [...toText(stack).matchAll(LOCATION)]
  const [, script, position] = locations.find(([, name = '']) => scripts.has(name)) ?? []
  const page = findPage(toText(path))?.id ?? 'not-found'
  return { page, type, ...(script && { location: script + position }) }
}

export type BrowserErrors = ReturnType<typeof createBrowserErrors>

/**
 * Receives the script errors of browsers. Once a minute they are logged and added to the row of the day in the inbox, from which
 * the owner's letter counts them.
 */
export function createBrowserErrors(deps: BrowserErrorDeps) {
  const { publicOrigins, scripts, store, log, count } = deps
  let number = 0
  let examples: Report[] = []
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const reports = number
    if (reports === 0) return
    log.warn({ reports, examples }, 'scripts failed in browsers')
    number = 0
    examples = []
    try {
      await countErrors(store, BROWSERS, reports)
    } catch (err) {
      log.warn({ err, reports }, 'errors of browsers could not be counted in the inbox')
      number += reports
    }
  }

  const note: RequestHandler = (req, res) => {
    const report = readReport(req.body, scripts)
    number += 1
    if (examples.length < MAX_EXAMPLES) examples.push(report)
    count?.()
    timer ??= setTimeout(flush, MINUTE_MS).unref()
    res.status(204).end()
  }

  const limit = rateLimit({
    windowMs: MINUTE_MS,
    limit: REPORTS_PER_MINUTE,
    keyGenerator: (_req, res) => getNetwork(res.locals.address),
    standardHeaders: false,
    legacyHeaders: false,
    handler: (_req, _res, next) => next(new Refusal('too-many-reports', { retryAfterSeconds: 60 })),
  })
  const json = express.json({ limit: MAX_BODY_BYTES, inflate: false })
  return {
    /** The steps of POST /api/browser-errors. */
    receive: [createCheckOrigin(publicOrigins), limit, json, note],
    /** Logs and stores what was received since the last time. */
    flush,
  }
}
