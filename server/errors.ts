import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import type { FaultCode, Faults } from '../shared/contact-faults.ts'
import { describeFault, describeProblem } from '../shared/contact-sentences.ts'
import { company } from '../shared/content/company.ts'
import { CONTENT } from '../shared/content/index.ts'
import { type Language, LOCALES } from '../shared/language.ts'
import type { ContactLimit, ContactOutcome } from '../shared/page-state.ts'
import { PROBLEMS, type ProblemCode, toMinutes } from '../shared/problems.ts'
import { STATUS_CODES } from './fast-path/node-http.ts'
import { InboxUnavailable } from './inbox/inbox.ts'
import { getRequestLog } from './log.ts'
import { escapeHtml } from './pages/html-shell.ts'
import { getApiLanguage, getPageLanguage } from './requests/language.ts'
import type { RouteLabel } from './requests/route-labels.ts'

/** Refuses a request for a problem, or for the faults of its fields. The answer turns the codes into sentences. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly reason: ProblemCode | Faults
  readonly code: ProblemCode | FaultCode
  readonly status: number
  readonly headers: Record<string, string>

  constructor(
    reason: ProblemCode | Faults,
    options: Pick<Partial<Refusal>, 'headers' | 'cause'> = {},
  ) {
    const code = typeof reason === 'string' ? reason : reason[0].code
    super(code, { cause: options.cause })
    this.reason = reason
    this.code = code
    this.status = typeof reason === 'string' ? PROBLEMS[reason] : 400
    this.headers = options.headers ?? {}
  }
}

function describeRefusal(refusal: Refusal, limit: ContactLimit, language: Language): string {
  const { reason: code, headers } = refusal
  const content = CONTENT[language]
  if (typeof code !== 'string') return describeFault(code[0], content.contact.faults)
  const problem = { code, minutes: toMinutes(headers['Retry-After']) }
  const sentences = { ...content.contact, problems: content.errors.problems }
  return describeProblem(problem, { company, limit, texts: sentences, language })
}

/** A refusal for the contact page, which can show it in either language. */
export function toContactOutcome({ reason, headers }: Refusal): ContactOutcome {
  if (typeof reason !== 'string') return { faults: reason }
  return { problem: { code: reason, minutes: toMinutes(headers['Retry-After']) } }
}

/** Refuses the methods that a path does not support. */
export function refuseMethod(label: RouteLabel, Allow: string): RequestHandler {
  return (_req, res) => {
    res.locals.label = label
    throw new Refusal('method-not-allowed', { headers: { Allow } })
  }
}

/** Turns any error other than a Refusal into a `server-error`. */
export function toRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('server-error', { cause: error })
}

export const PROBLEM_TYPE = 'application/problem+json'

interface ProblemParts {
  limit: ContactLimit
  language: Language
  requestId: string
}

/** A refusal as a problem document (RFC 9457). */
export function createProblem(refusal: Refusal, { limit, language, requestId }: ProblemParts) {
  const { reason, status, code } = refusal
  const errors = typeof reason !== 'string' && {
    errors: reason.map((fault) => ({
      ...fault,
      detail: describeFault(fault, CONTENT[language].contact.faults),
    })),
  }
  const detail = describeRefusal(refusal, limit, language)
  const title = STATUS_CODES[status]
  return { type: 'about:blank', title, status, detail, code, ...errors, requestId }
}

export function writeProblem(refusal: Refusal, parts: ProblemParts): string {
  return JSON.stringify(createProblem(refusal, parts))
}

/** Answers with application/problem+json; a client that prefers text gets only the sentence. */
export function createProblemSender(limit: ContactLimit) {
  return (req: Request, res: Response, refusal: Refusal): void => {
    const language = getApiLanguage(req)
    res.status(refusal.status).set(refusal.headers)
    res.set({
      'Content-Language': language,
      'Problem-Code': refusal.code,
      'Cache-Control': 'no-store',
    })
    if (req.accepts([PROBLEM_TYPE, 'application/json', 'text/plain']) === 'text/plain') {
      res.type('text/plain').send(describeRefusal(refusal, limit, language))
      return
    }
    const { requestId } = res.locals
    res.type(PROBLEM_TYPE).send(writeProblem(refusal, { limit, language, requestId }))
  }
}

/** True when the client disconnected mid-body; nobody is left to answer. */
export const hasLeft = (req: Request): boolean => req.destroyed && !req.complete

const DISCONNECTS = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']

/**
 * Adds a refusal to the log line of its answer, except after a disconnect. Logs a server error also in a line of its
 * own, with its stack. An unavailable inbox gets no such line, because the inbox itself logs that.
 */
export function logRefusal(req: Request, res: Response, { code, cause }: Refusal): void {
  const { code: causeCode = '' } = (cause ?? {}) as NodeJS.ErrnoException
  if (hasLeft(req) && DISCONNECTS.includes(causeCode)) return
  res.locals.outcome = { code, ...(cause instanceof InboxUnavailable && { reason: cause.reason }) }
  if (code === 'server-error' && cause) getRequestLog(res).error({ err: cause }, 'request failed')
}

/** A page that needs neither the renderer nor a file. */
function writePlainPage(refusal: Refusal, limit: ContactLimit, language: Language): string {
  const { headline, home } = CONTENT[language].errors.serverError
  const title = escapeHtml(refusal.status >= 500 ? headline : CONTENT[language].brand.name)
  return [
    `<!doctype html><html lang="${LOCALES[language]}"><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">',
    `<title>${title}</title><main><h1>${title}</h1>`,
    `<p>${escapeHtml(describeRefusal(refusal, limit, language))}</p>`,
    `<p><a href="/">${escapeHtml(home)}</a></p></main></html>`,
  ].join('\n')
}

/** The last error handler. A browser that asks for a page gets a plain page, any other request a problem document. */
export function handleErrors(limit: ContactLimit): ErrorRequestHandler {
  const sendProblem = createProblemSender(limit)
  return (error, req, res, _next) => {
    const refusal = toRefusal(error)
    logRefusal(req, res, refusal)
    if (hasLeft(req)) return
    const isPage = ['GET', 'HEAD'].includes(req.method) && !req.path.startsWith('/api/')
    if (res.headersSent) {
      res.destroy()
    } else if (isPage && req.accepts([PROBLEM_TYPE, 'text/html']) === 'text/html') {
      const language = getPageLanguage(req)
      res.status(refusal.status).set(refusal.headers).set('Cache-Control', 'no-store')
      res.type('text/html').send(writePlainPage(refusal, limit, language))
    } else {
      sendProblem(req, res, refusal)
    }
  }
}
