import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { type PageId, pages } from '../../shared/pages.ts'
import { SERVICE_IDS } from '../../shared/sectors.ts'
import { Refusal } from '../errors.ts'
import { InboxUnavailable } from '../inbox/inbox-errors.ts'
import { REFERENCE_PATTERN } from '../inbox/message.ts'
import { findMessage } from '../inbox/messages.ts'
import type { Store } from '../inbox/store.ts'
import { noteRefusal } from '../requests/problem.ts'
import type { Route, Routes } from '../requests/routes.ts'
import type { AnswerPage } from './page-response.ts'

/** The pages that have a path. */
export function createPageRoutes(store: Store, answerPage: AnswerPage): Routes {
  /** The reference in the query of the contact page, if the inbox finds that message in time. */
  const findSent = async (reference: unknown) => {
    if (typeof reference !== 'string' || !REFERENCE_PATTERN.test(reference)) return undefined
    const message = await findMessage(store, reference).catch(ignoreOutage)
    return message ? { sent: reference } : undefined
  }

  const answerContact = async (req: Request, res: Response) => {
    await answerPage(req, res, 'contact', {
      contact: await findSent(req.query.sent),
      service: SERVICE_IDS.find((id) => id === req.query.service),
    })
  }

  const createRoute = (id: PageId): Route => ({
    label: id,
    answer: (req, res) =>
      id === 'contact' && req.url.includes('?')
        ? answerContact(req, res)
        : answerPage(req, res, id),
  })
  return Object.fromEntries(
    pages.flatMap(({ id, path }) => (path ? [[path, { GET: createRoute(id) }]] : [])),
  )
}

function ignoreOutage(error: unknown): false {
  if (error instanceof InboxUnavailable) return false
  throw error
}

/** Answers what no route or file has answered: with a problem at or below /api, otherwise with the 404 page. */
export function createUnknownPages(answerPage: AnswerPage): RequestHandler {
  return async (req, res) => {
    if (/^\/api(?:\/|$)/.test(req.path)) {
      res.locals.label = 'api'
      throw new Refusal('not-found')
    }
    res.locals.label = 'not-found'
    await answerPage(req, res, 'not-found')
  }
}

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/** Shows an error page for a GET or HEAD of a path that cannot be decoded, but not below /api. */
export function createBadPathPage(answerPage: AnswerPage): ErrorRequestHandler {
  return async (error, req, res, next) => {
    const isBadPath = error instanceof Refusal && error.code === 'bad-path'
    if (isBadPath && isRead(req) && !req.path.startsWith('/api/')) {
      res.locals.label = 'bad-request'
      noteRefusal(req, res, error)
      await answerPage(req, res, 'bad-request')
    } else next(error)
  }
}
