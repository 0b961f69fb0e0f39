import type { Request, Response } from 'express'
import type { PageId } from '../../shared/pages.ts'
import type { ProblemCode } from '../../shared/problems.ts'
import type { Refusal } from '../errors.ts'
import type { Renderer } from './renderer.ts'
import type { SendPage } from './send-page.ts'

const PAGES: Partial<Record<string, PageId>> = {
  'bad-path': 'bad-request',
  'not-found': 'not-found',
  'server-error': 'server-error',
} satisfies Partial<Record<ProblemCode, PageId>>

/** The returned function shows an error as a page; it resolves to false where a problem document is expected. */
export function createSendErrorPage({ explainFailure }: Renderer, sendPage: SendPage) {
  return async (req: Request, res: Response, { code, cause }: Refusal): Promise<boolean> => {
    const page = PAGES[code]
    const isOfApi = /^\/api(?:\/|$)/.test(req.path)
    if (!page || isOfApi || !['GET', 'HEAD', 'POST'].includes(req.method)) return false
    if (page === 'server-error' && explainFailure) {
      res.status(500).type('html').send(explainFailure(cause))
      return true
    }
    if (req.method === 'POST' && page !== 'server-error') return false
    await sendPage(req, res, page)
    return true
  }
}
