import { randomUUID } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import { pinoHttp } from 'pino-http'
import type { PageId } from '../../shared/pages.ts'
import type { Logger } from '../log.ts'
import { cutAddress } from './address.ts'

/** Contains only fixed words and a reference, no visitor's input. */
interface LogDetails {
  /** Of a contact request. */
  outcome?: string
  reference?: string
  /** Code of a refusal. */
  code?: string
  /** The store failed for this reason. */
  reason?: string
}

declare global {
  namespace Express {
    interface Locals {
      /** The page that was sent, or `file`. */
      page?: PageId | 'file'
      /** Added to the request's line in the log. */
      details?: LogDetails
    }
  }
}

/** Name of a request in logs and metrics: the page, or the pattern of its route. Contains no visitor's input. */
export function getRouteName(req: Request, res: Response): string {
  return res.locals.page ?? req.route?.path ?? 'none'
}

const QUIET = ['file', '/livez', '/readyz']

/** Any visitor can request the test pages and /api/test-error, so their status 500 is not an error. */
const isServerError = (req: Request, res: Response) =>
  res.statusCode === 500 && !/test-/.test(getRouteName(req, res))

function describe(req: Request, res: Response, { durationMs }: { durationMs: number }) {
  // A client that left may have got no answer, and then has seen no status.
  const hasLeft = !res.writableFinished
  return {
    method: req.method,
    page: getRouteName(req, res),
    status: hasLeft && !res.headersSent ? undefined : res.statusCode,
    ...(hasLeft && { left: true }),
    address: cutAddress(res.locals.address),
    ...res.locals.details,
    durationMs,
  }
}

/** Logs one line a request, without URL and headers: they may contain a visitor's text. Answers carry the id of the line. */
export function logRequests(log: Logger): RequestHandler {
  const say = (req: Request, res: Response) =>
    isServerError(req, res) ? 'request answered with a server error' : 'request answered'
  return pinoHttp<Request, Response>({
    logger: log,
    // Wrapped serializers would replace those of the log, which omit an error's message; the request is never logged.
    wrapSerializers: false,
    serializers: { req: () => undefined },
    genReqId(_req, res) {
      const id = randomUUID()
      res.setHeader('X-Request-Id', id)
      return id
    },
    quietReqLogger: true,
    quietResLogger: true,
    customAttributeKeys: { reqId: 'requestId', responseTime: 'durationMs' },
    customLogLevel(req, res) {
      if (isServerError(req, res)) return 'error'
      return QUIET.includes(getRouteName(req, res)) ? 'debug' : 'info'
    },
    customSuccessMessage: say,
    customErrorMessage: say,
    customSuccessObject: describe,
    customErrorObject: (req, res, _error, values) => describe(req, res, values),
  })
}
