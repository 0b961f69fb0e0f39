import express, { type RequestHandler } from 'express'
import { rateLimit } from 'express-rate-limit'
import { findPage, type PageId } from '../../shared/pages.ts'
import { Refusal } from '../errors.ts'
import { BROWSERS, countErrors } from '../inbox/measure.ts'
import type { Store } from '../inbox/store.ts'
import type { Logger } from '../log.ts'
import { getAddressKey } from '../requests/address.ts'
import { createCheckOrigin } from '../requests/origin.ts'

const MAX_BODY_BYTES = 8 * 1024
const MINUTE_MS = 60_000
export const REPORTS_PER_MINUTE = 10
/** The log shows the first errors of a minute. */
const MAX_EXAMPLES = 5

interface ClientErrorDeps {
  /** The site's own origins. */
  origins: string[]
  store: Store
  log: Logger
  /** Counts in the metrics. */
  count?: () => void
}

interface Report {
  page: PageId
  type: string
  /** `assets/FILE:LINE:COLUMN`. */
  place?: string
}

const ERROR_NAME = /\b(?:Aggregate|Eval|Internal|Range|Reference|Security|Syntax|Type|URI)Error\b/
const REACT_ERROR = /\bMinified React error #\d{1,3}\b/
const PLACE = /\/(assets\/[\w.-]{1,100}\.js:\d{1,7}:\d{1,7})\b/

const toText = (value: unknown) => (typeof value === 'string' ? value : '')

/** Keeps only names of errors and places in built files: the message itself may quote a visitor's input. */
export function readReport({ message, stack, path }: Record<string, unknown> = {}): Report {
  const text = toText(message)
  const type = (REACT_ERROR.exec(text) ?? ERROR_NAME.exec(text))?.[0] ?? 'Error'
  const [, place] = PLACE.exec(toText(stack)) ?? []
  return { page: findPage(toText(path))?.id ?? 'not-found', type, ...(place && { place }) }
}

export type ClientErrors = ReturnType<typeof createClientErrors>

/**
 * Receives the script errors of browsers. Once a minute they are logged and added to the row of the day in the inbox, from which
 * the owner's letter counts them.
 */
export function createClientErrors({ origins, store, log, count }: ClientErrorDeps) {
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
    }
  }

  const note: RequestHandler = (req, res) => {
    number += 1
    if (examples.length < MAX_EXAMPLES) examples.push(readReport(req.body))
    count?.()
    timer ??= setTimeout(flush, MINUTE_MS).unref()
    res.status(204).end()
  }

  const limit = rateLimit({
    windowMs: MINUTE_MS,
    limit: REPORTS_PER_MINUTE,
    keyGenerator: (_req, res) => getAddressKey(res.locals.address),
    standardHeaders: false,
    legacyHeaders: false,
    handler: (_req, _res, next) =>
      next(new Refusal('too-many-refusals', { retryAfterSeconds: 60 })),
  })
  const json = express.json({ limit: MAX_BODY_BYTES, inflate: false })
  return {
    /** The steps of POST /api/client-errors. */
    receive: [createCheckOrigin(origins), limit, json, note],
    /** Logs and stores what was received since the last time. */
    flush,
  }
}
