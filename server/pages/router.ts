import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { findPage } from '../../shared/pages.ts'
import { logRefusal, Refusal, refuseMethod } from '../errors.ts'
import { type Inbox, InboxUnavailable } from '../inbox/inbox.ts'
import { isReference } from '../inbox/message.ts'
import type { AnswerPage } from './page-response.ts'

const LOOKUP_MS = 2000

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

interface PagesParts {
  inbox: Inbox
  answerPage: AnswerPage
}

/** Answers GET and HEAD for each page in the route table. */
export function createPages({ inbox, answerPage }: PagesParts): RequestHandler {
  /** The reference in the query of the contact page, if the inbox has that message. */
  const findSent = async (reference: unknown) => {
    if (typeof reference !== 'string' || !isReference(reference)) return undefined
    const message = await inbox.find(reference, Date.now() + LOOKUP_MS).catch(ignoreOutage)
    return message ? { sent: reference } : undefined
  }

  const answerSent = async (req: Request, res: Response) => {
    await answerPage(req, res, 'contact', { contact: await findSent(req.query.sent) })
  }

  return (req, res, next) => {
    const page = isRead(req) ? findPage(req.path) : undefined
    if (!page) next()
    else if (page.id === 'contact' && req.url.includes('?')) return answerSent(req, res)
    else return answerPage(req, res, page.id)
  }
}

function ignoreOutage(error: unknown): false {
  if (error instanceof InboxUnavailable) return false
  throw error
}

/** Unsupported methods get 405, unknown paths the 404 page. */
export function createUnknownPages(answerPage: AnswerPage): RequestHandler {
  return async (req, res, next) => {
    const page = findPage(req.path)
    if (!page) await answerPage(req, res, 'not-found')
    else
      refuseMethod(page.id, page.id === 'contact' ? 'GET, HEAD, POST' : 'GET, HEAD')(req, res, next)
  }
}

/** Shows an error page for a path that cannot be decoded. */
export function createErrorPages(answerPage: AnswerPage): ErrorRequestHandler {
  return async (error, req, res, next) => {
    const isBadPath = error instanceof Refusal && error.code === 'bad-path'
    if (isBadPath && isRead(req) && !req.path.startsWith('/api/')) {
      logRefusal(req, res, error)
      await answerPage(req, res, 'bad-request')
    } else next(error)
  }
}
