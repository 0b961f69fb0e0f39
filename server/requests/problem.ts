import type { ErrorRequestHandler, Request, Response } from 'express'
import type { ContactLimit } from '../../shared/contact-limit.ts'
import { describeFault, describeRefusal } from '../../shared/contact-sentences.ts'
import { CONTENT } from '../../shared/content/index.ts'
import type { Language } from '../../shared/language.ts'
import { STATUS_CODES } from '../connection/node-http.ts'
import { type Refusal, toRefusal } from '../errors.ts'
import { getApiLanguage } from './language.ts'
import { getRequestLog } from './log-requests.ts'

export const PROBLEM_TYPE = 'application/problem+json'

interface ProblemOptions {
  limit: ContactLimit
  language: Language
  requestId: string
}

/** A refusal as a problem document (RFC 9457). */
export function createProblem(refusal: Refusal, { limit, language, requestId }: ProblemOptions) {
  const { status, code, faults, retryAfterSeconds } = refusal
  const { contact, errors: texts } = CONTENT[language]
  const errors = faults && {
    errors: faults.map((fault) => ({ ...fault, detail: describeFault(fault, contact.faults) })),
  }
  const sentences = { ...contact, problems: texts.problems }
  const detail = describeRefusal(
    { code, faults, retryAfterSeconds },
    { limit, texts: sentences, language },
  )
  const title = STATUS_CODES[status]
  return { type: 'about:blank', title, status, detail, code, ...errors, requestId }
}

/** True if the connection closed before the whole request had arrived, so that the app cannot answer. */
export const hasLeft = (req: Request): boolean => req.destroyed && !req.complete

const DISCONNECTS = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']

/** Adds the refusal to the request's line in the log. Logs the cause of an unexpected error at once. */
export function noteRefusal(req: Request, res: Response, { code, reason, cause }: Refusal): void {
  const { code: causeCode = '' } = (cause ?? {}) as NodeJS.ErrnoException
  if (hasLeft(req) && DISCONNECTS.includes(causeCode)) return
  res.locals.details = { code, reason }
  if (code === 'server-error' && cause) getRequestLog(res).error({ err: cause }, 'request failed')
}

const TEXT_TYPES = ['text/plain', 'text/html'] // a browser prefers HTML, and gets plain text

/** Answers with a problem document, or in plain text if the client prefers it; cuts off an answer that has begun. */
export function handleErrors(limit: ContactLimit): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const refusal = toRefusal(error)
    noteRefusal(req, res, refusal)
    if (hasLeft(req)) return
    if (res.headersSent) {
      res.destroy()
      return
    }
    const language = getApiLanguage(req)
    const { requestId } = res.locals
    const problem = createProblem(refusal, { limit, language, requestId })
    res.status(refusal.status).set(refusal.headers)
    res.set({
      'Content-Language': language,
      'Problem-Code': refusal.code,
      'Cache-Control': 'no-store',
    })
    const textTypes = req.path.startsWith('/api/') ? ['text/plain'] : TEXT_TYPES
    const type = req.accepts([PROBLEM_TYPE, 'application/json', ...textTypes])
    if (type && textTypes.includes(type)) res.type('text/plain').send(problem.detail)
    else res.type(PROBLEM_TYPE).send(JSON.stringify(problem))
  }
}
