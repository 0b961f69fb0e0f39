import { type ErrorRequestHandler, Router } from 'express'
import { pages } from '../../shared/pages.ts'
import { Refusal, refuseMethod } from '../errors.ts'
import { type Inbox, InboxUnavailable } from '../inbox/inbox.ts'
import { isReference } from '../inbox/reference.ts'
import type { AnswerPage } from './page-response.ts'

const LOOKUP_TIME = 2000

interface PagesParts {
  inbox: Inbox
  answerPage: AnswerPage
}

/** Every page of the table at its path, and the page that says that there is none. */
export function createPages({ inbox, answerPage }: PagesParts): Router {
  const router = Router({ caseSensitive: true, strict: true })

  /** What the address of the contact page says was sent, if that is true. */
  const findSent = async (reference: unknown) => {
    if (typeof reference !== 'string' || !isReference(reference)) return undefined
    const kept = await inbox.hasReference(reference, Date.now() + LOOKUP_TIME).catch(isUnavailable)
    return kept ? { sent: reference } : undefined
  }

  for (const { id, path } of pages) {
    if (!path) continue
    router
      .route(path)
      .get(async (req, res) => {
        const contact = id === 'contact' ? await findSent(req.query.sent) : undefined
        await answerPage(req, res, id, { contact })
      })
      .all(refuseMethod(id, id === 'contact' ? 'GET, HEAD, POST' : 'GET, HEAD'))
  }
  router.use((req, res) => answerPage(req, res, 'not-found'))
  return router
}

/** Where the store cannot be asked, nothing is claimed. */
function isUnavailable(error: unknown): false {
  if (error instanceof InboxUnavailable) return false
  throw error
}

/** A visitor sees a page also where a step before the pages refuses the address. */
export function createErrorPages(answerPage: AnswerPage): ErrorRequestHandler {
  return async (error, req, res, next) => {
    const reads = req.method === 'GET' || req.method === 'HEAD'
    const badPath = error instanceof Refusal && error.code === 'bad-path'
    if (badPath && reads && !req.path.startsWith('/api/')) await answerPage(req, res, 'bad-request')
    else next(error)
  }
}
