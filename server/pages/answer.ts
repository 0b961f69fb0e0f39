import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { ContactOutcome, PageState } from '../../shared/page-state.ts'
import { getPage, type PageId } from '../../shared/pages.ts'
import type { Config } from '../config.ts'
import { pageLanguage } from '../language.ts'
import type { Renderer } from './renderer.ts'

export interface PageParts {
  config: Config
  renderer: Renderer
  /** The canonical origin. */
  origin: string
  now: () => number
}

interface Extras {
  contact?: ContactOutcome
  /** In place of the page's own. */
  status?: number
}

export type AnswerPage = (req: Request, res: Response, id: PageId, extras?: Extras) => Promise<void>

/** Streams a page in the visitor's language; one that throws gives the page of the server error. */
export function createPageAnswer({ config, renderer, origin, now }: PageParts): AnswerPage {
  const limit = config.contactLimit

  const render = async (req: Request, res: Response, state: PageState) => {
    const { log } = res.locals
    const address = state.page === 'bad-request' ? '/' : req.originalUrl
    const onError = (error: unknown) => log.error({ err: error }, 'a page failed after its start')
    try {
      const html = await renderer.render(state, address, onError)
      return { html, failed: false }
    } catch (error) {
      res.removeHeader('ETag')
      log.error({ err: error }, 'a page could not be rendered')
      const html = await renderer.render({ ...state, page: 'server-error' }, address, onError)
      return { html, failed: true }
    }
  }

  return async (req, res, id, { contact, status } = {}) => {
    const page = getPage(id)
    const language = pageLanguage(req, page)
    const state: PageState = {
      page: id,
      language,
      origin,
      limit,
      formStartTime: String(now()),
      contact,
    }
    res.locals.label = id
    res.status(status ?? page.status).set({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'private, no-cache',
    })
    if (!contact) {
      const parts = [renderer.build, id, language, origin, limit.count, limit.windowMinutes]
      res.set('ETag', `W/"${createHash('sha256').update(parts.join()).digest('base64url')}"`)
      if (req.fresh) {
        res.status(304).end()
        return
      }
    }
    const { html, failed } = await render(req, res, state)
    if (failed) res.status(500)
    await pipeline(html, res).catch((error) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
    })
  }
}
