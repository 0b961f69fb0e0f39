import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import type { FaultCode, Faults } from '../shared/contact-faults.ts'
import { describeFault, describeProblem } from '../shared/contact-sentences.ts'
import { company } from '../shared/content/company.ts'
import { CONTENT } from '../shared/content/index.ts'
import type { Language } from '../shared/language.ts'
import type { ContactLimit, ContactOutcome } from '../shared/page-state.ts'
import { PROBLEMS, type ProblemCode, toMinutes } from '../shared/problems.ts'
import { STATUS_CODES } from './fast-path/node-http.ts'
import { InboxUnavailable } from './inbox/inbox.ts'
import { getRequestLog } from './log.ts'
import { getApiLanguage } from './requests/language.ts'
import type { RouteLabel } from './requests/route-labels.ts'

/** The answer turns the codes into sentences. */
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

/** Converts a refusal to an outcome, which the contact page can show in either language. */
export function toContactOutcome({ reason, headers }: Refusal): ContactOutcome {
  if (typeof reason !== 'string') return { faults: reason }
  return { problem: { code: reason, minutes: toMinutes(headers['Retry-After']) } }
}

export function refuseMethod(label: RouteLabel, Allow: string): RequestHandler {
  return (_req, res) => {
    res.locals.label = label
    throw new Refusal('method-not-allowed', { headers: { Allow } })
  }
}

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

/** True if the client disconnected before it had sent the whole request, so that it cannot get an answer. */
export const hasLeft = (req: Request): boolean => req.destroyed && !req.complete

const DISCONNECTS = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']

/** An unavailable inbox needs no second log line, because the inbox logs its own failures. */
export function logRefusal(req: Request, res: Response, { code, cause }: Refusal): void {
  const { code: causeCode = '' } = (cause ?? {}) as NodeJS.ErrnoException
  if (hasLeft(req) && DISCONNECTS.includes(causeCode)) return
  res.locals.outcome = { code, ...(cause instanceof InboxUnavailable && { reason: cause.reason }) }
  if (code === 'server-error' && cause) getRequestLog(res).error({ err: cause }, 'request failed')
}

const TEXT_TYPES = ['text/plain', 'text/html']

/** The last error handler. Answers with a problem document, or in plain text if the client prefers it. */
export function handleErrors(limit: ContactLimit): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const refusal = toRefusal(error)
    logRefusal(req, res, refusal)
    if (hasLeft(req)) return
    if (res.headersSent) {
      res.destroy()
      return
    }
    const language = getApiLanguage(req)
    res.status(refusal.status).set(refusal.headers)
    res.set({
      'Content-Language': language,
      'Problem-Code': refusal.code,
      'Cache-Control': 'no-store',
    })
    const textTypes = req.path.startsWith('/api/') ? ['text/plain'] : TEXT_TYPES
    const type = req.accepts([PROBLEM_TYPE, 'application/json', ...textTypes])
    if (type && textTypes.includes(type)) {
      res.type('text/plain').send(describeRefusal(refusal, limit, language))
      return
    }
    const { requestId } = res.locals
    const problem = createProblem(refusal, { limit, language, requestId })
    res.type(PROBLEM_TYPE).send(JSON.stringify(problem))
  }
}
