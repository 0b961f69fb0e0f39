import { STATUS_CODES } from 'node:http'
import type { ErrorRequestHandler, Request, Response } from 'express'
import type { ContactLimit } from '../../shared/contact-limit.ts'
import { describeFault, describeRefusal } from '../../shared/contact-sentences.ts'
import { CONTENT } from '../../shared/content/index.ts'
import type { Language } from '../../shared/language.ts'
import { type Refusal, toRefusal } from '../errors.ts'
import { getMessageLanguage } from './language.ts'
import { getRouteName } from './log-requests.ts'

export const PROBLEM_TYPE = 'application/problem+json'

interface ProblemOptions {
  limit: ContactLimit
  language: Language
  requestId: string
}

/** A refusal as a problem document (RFC 9457). */
function createProblem(refusal: Refusal, { limit, language, requestId }: ProblemOptions) {
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

/** Adds a refusal to the line of the request in the log. Logs the cause of an unexpected error at once. */
export function noteRefusal(req: Request, res: Response, { code, reason, cause }: Refusal): void {
  res.locals.details = { code, ...(reason && { reason }) }
  if (code === 'server-error' && cause) req.log.error({ err: cause }, 'request failed')
}

/** Answers with a problem document, or with its sentence in plain text if the client prefers that. */
function sendProblem(req: Request, res: Response, refusal: Refusal, limit: ContactLimit): void {
  const language = getMessageLanguage(req, res)
  const problem = createProblem(refusal, { limit, language, requestId: String(req.id) })
  res.status(refusal.status).set(refusal.headers)
  res.set({
    'Content-Language': language,
    'Problem-Code': refusal.code,
    'Cache-Control': 'no-store',
  })
  const type = req.accepts([PROBLEM_TYPE, 'application/json', 'text/plain'])
  if (type === 'text/plain') res.type(type).send(problem.detail)
  else res.type(PROBLEM_TYPE).send(JSON.stringify(problem))
}

/** Removes the headers of a page that failed. */
function removePageHeaders(res: Response): void {
  for (const name of ['Content-Encoding', 'ETag', 'Set-Cookie']) res.removeHeader(name)
}

/** Answers every error that a step of a request throws or passes on. `sendErrorPage` resolves to false if there is no page for it. */
export function answerErrors(
  limit: ContactLimit,
  sendErrorPage: (req: Request, res: Response, refusal: Refusal) => Promise<boolean>,
  countError?: (place: string) => void,
): ErrorRequestHandler {
  return async (error, req, res, _next) => {
    const refusal = toRefusal(error)
    // The client has left before its request was complete.
    if (req.destroyed && !req.complete) return
    noteRefusal(req, res, refusal)
    if (refusal.code === 'server-error' && refusal.cause) countError?.(getRouteName(req, res))
    if (res.headersSent) {
      // A page or a file broke off. The client notices that the end is missing.
      res.destroy()
      return
    }
    removePageHeaders(res)
    try {
      if (await sendErrorPage(req, res, refusal)) return
    } catch (err) {
      req.log.error({ err }, 'the error page could not be rendered')
      if (res.headersSent) {
        res.destroy()
        return
      }
      removePageHeaders(res)
    }
    sendProblem(req, res, refusal, limit)
  }
}
