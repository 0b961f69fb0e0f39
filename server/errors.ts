import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import type { Fault, FaultCode } from '../shared/contact.ts'
import { describeFault, describeProblem } from '../shared/contact-sentences.ts'
import { company } from '../shared/content/company.ts'
import { texts } from '../shared/content/index.ts'
import { type Language, LOCALES } from '../shared/language.ts'
import type { ContactLimit, ContactOutcome } from '../shared/page-state.ts'
import { isProblemCode, PROBLEMS, type ProblemCode, toMinutes } from '../shared/problems.ts'
import { STATUS_CODES } from './fast-path/node-http.ts'
import { InboxUnavailable } from './inbox/inbox.ts'
import { logOf } from './log.ts'
import { apiLanguage, pageLanguage } from './requests/language.ts'
import type { RouteLabel } from './requests/route-labels.ts'

interface RefusalOptions {
  headers?: Record<string, string>
  faults?: Fault[]
  cause?: unknown
}

/** Why a request is not answered as it asks. It becomes a sentence only where it is sent. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ProblemCode | FaultCode
  readonly status: number
  readonly headers: Record<string, string>
  readonly faults: Fault[]
  constructor(code: ProblemCode | FaultCode, options: RefusalOptions = {}) {
    super(code, { cause: options.cause })
    this.code = code
    this.status = isProblemCode(code) ? PROBLEMS[code] : 400
    this.headers = options.headers ?? {}
    this.faults = options.faults ?? []
  }
}

const STORE_RETRY_SECONDS = '30'

/** The sentence of a refusal, in the language of the visitor. */
export function describeRefusal(
  { code, headers, faults: [fault] }: Refusal,
  limit: ContactLimit,
  language: Language,
): string {
  const content = texts[language]
  if (!isProblemCode(code)) return describeFault(fault ?? { field: '', code }, content)
  const problem = { code, minutes: toMinutes(headers['Retry-After']) }
  const said = { ...content.contact, problems: content.errors.problems }
  return describeProblem(problem, { company, limit, texts: said, language })
}

/** What the page says of a refusal, in whatever language it is shown. */
export function toOutcome({ code, headers, faults }: Refusal): ContactOutcome {
  if (!isProblemCode(code)) return { faults }
  return { problem: { code, minutes: toMinutes(headers['Retry-After']) } }
}

/** A store that cannot write is a refusal; any other error is a mistake of ours. */
export function refuseUnavailable(error: unknown): never {
  if (!(error instanceof InboxUnavailable)) throw error
  throw new Refusal('unavailable', {
    headers: { 'Retry-After': STORE_RETRY_SECONDS },
    cause: error,
  })
}

/** Answers the methods that a path does not have; `label` is what the log calls the path. */
export function refuseMethod(label: RouteLabel, Allow: string): RequestHandler {
  return (_req, res) => {
    res.locals.label = label
    throw new Refusal('method-not-allowed', { headers: { Allow } })
  }
}

/** A Refusal as it is; any other error is ours. */
export function toRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('server-error', { cause: error })
}

/** A refusal as a problem document (RFC 9457), without the request's id. */
export function createProblem(
  { status, code, faults }: Refusal,
  detail: string,
  language: Language,
) {
  const errors = faults.map((fault) => ({
    ...fault,
    detail: describeFault(fault, texts[language]),
  }))
  return {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail,
    code,
    ...(errors.length > 0 && { errors }),
  }
}

export const PROBLEM_TYPE = 'application/problem+json'

interface ProblemParts {
  limit: ContactLimit
  language: Language
  requestId: string
}

export function writeProblem(refusal: Refusal, { limit, language, requestId }: ProblemParts) {
  const problem = createProblem(refusal, describeRefusal(refusal, limit, language), language)
  return JSON.stringify({ ...problem, requestId })
}

/** Answers with application/problem+json, or the sentence alone to a client that prefers text. */
export function createProblemSender(limit: ContactLimit) {
  return (req: Request, res: Response, refusal: Refusal): void => {
    const language = apiLanguage(req)
    res.status(refusal.status).set(refusal.headers).set('Content-Language', language)
    res.set('Problem-Code', refusal.code)
    res.set('Cache-Control', 'no-store')
    if (req.accepts([PROBLEM_TYPE, 'application/json', 'text/plain']) === 'text/plain') {
      res.type('text/plain').send(describeRefusal(refusal, limit, language))
      return
    }
    const { requestId } = res.locals
    res.type(PROBLEM_TYPE).send(writeProblem(refusal, { limit, language, requestId }))
  }
}

/** The client disconnected mid-body; nobody is left to answer. */
export const hasLeft = (req: Request): boolean => req.destroyed && !req.complete

const DISCONNECTED = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']

/** True for an error of ours or of the store; false when the client disconnected mid-body. */
export function isFailure({ status, cause }: Refusal, req: Request): boolean {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException
  return status >= 500 && !(hasLeft(req) && DISCONNECTED.includes(code))
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A page that needs neither the renderer nor a file. */
function writePlainPage(refusal: Refusal, limit: ContactLimit, language: Language): string {
  const { headline, home } = texts[language].errors.serverError
  const title = refusal.status >= 500 ? headline : texts[language].brand.name
  return [
    `<!doctype html><html lang="${LOCALES[language]}"><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">',
    `<title>${escapeHtml(title)}</title><main><h1>${escapeHtml(title)}</h1>`,
    `<p>${escapeHtml(describeRefusal(refusal, limit, language))}</p>`,
    `<p><a href="/">${escapeHtml(home)}</a></p></main></html>`,
  ].join('\n')
}

/** The last resort: what no other handler has answered. A visitor's browser gets a page, a program a problem. */
export function handleErrors(limit: ContactLimit): ErrorRequestHandler {
  const sendProblem = createProblemSender(limit)
  return (error, req, res, _next) => {
    const refusal = toRefusal(error)
    if (isFailure(refusal, req)) logOf(res).error({ err: refusal.cause ?? error }, 'failed')
    if (hasLeft(req)) return
    const isPage = ['GET', 'HEAD'].includes(req.method) && !req.path.startsWith('/api/')
    if (res.headersSent) {
      res.destroy()
    } else if (isPage && req.accepts([PROBLEM_TYPE, 'text/html']) === 'text/html') {
      const language = pageLanguage(req)
      res.status(refusal.status).set(refusal.headers).set('Cache-Control', 'no-store')
      res.type('text/html').send(writePlainPage(refusal, limit, language))
    } else {
      sendProblem(req, res, refusal)
    }
  }
}
