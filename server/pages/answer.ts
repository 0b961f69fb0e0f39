import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { ContactOutcome, PageState } from '../../shared/page-state.ts'
import { getPage, type PageId } from '../../shared/pages.ts'
import type { Config } from '../config.ts'
import { pageLanguage } from '../language.ts'
import { chooseEncoding } from './encoding.ts'
import { type KeptDocument, keepDocument } from './memory.ts'
import type { Renderer } from './renderer.ts'

export interface PageParts {
  config: Config
  renderer: Renderer
  /** The canonical origin. */
  origin: string
  now: () => number
}

interface Extras {
  /** What became of this visitor's form; a page that says so is never kept. */
  contact?: ContactOutcome
  /** In place of the page's own. */
  status?: number
}

export type AnswerPage = (req: Request, res: Response, id: PageId, extras?: Extras) => Promise<void>

/**
 * Answers pages in the visitor's language: streamed as they are made to the first visitor, then from memory.
 * One that throws gives the page of the server error.
 */
export function createPageAnswer({ config, renderer, origin, now }: PageParts): AnswerPage {
  const limit = config.contactLimit
  const edition = createHash('sha256')
    .update(JSON.stringify([renderer.build, origin, limit]))
    .digest('base64url')
    .slice(0, 22)
  const kept = new Map<string, KeptDocument>()

  /** Streams a page; resolves to its bytes when it is one to keep. */
  const stream = async (res: Response, state: PageState): Promise<Buffer | undefined> => {
    const { log } = res.locals
    let whole = true
    const onError = (error: unknown) => {
      whole = false
      log.error({ err: error }, 'a page failed after its start')
    }
    const html = await renderer.render(state, onError).catch((error) => {
      whole = false
      log.error({ err: error }, 'a page could not be rendered')
      res.status(500).removeHeader('ETag')
      return renderer.render({ ...state, page: 'server-error' }, onError)
    })
    const chunks: Buffer[] = []
    html.on('data', (chunk) => chunks.push(chunk))
    try {
      await pipeline(html, res)
      return whole ? Buffer.concat(chunks) : undefined
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
      return undefined
    }
  }

  return async (req, res, id, { contact, status } = {}) => {
    const page = getPage(id)
    const language = pageLanguage(req, page)
    const time = String(now())
    res.locals.label = id
    res.status(status ?? page.status).set({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept-Encoding',
    })
    const formStartTime = id === 'contact' ? time : undefined
    const state: PageState = { page: id, language, origin, limit, formStartTime, contact }
    if (contact) {
      await stream(res, state)
      return
    }
    const name = `${edition}-${id}-${language}`
    if (renderer.build) res.set('ETag', `W/"${name}"`)
    if (req.fresh) {
      res.status(304).end()
      return
    }
    const document = kept.get(name)
    if (!document) {
      const html = await stream(res, state)
      if (html && renderer.build) kept.set(name, keepDocument(html, time))
      return
    }
    const encoding = chooseEncoding(req.get('Accept-Encoding'))
    const bytes = document.encode(encoding, time)
    if (encoding !== 'identity') res.setHeader('Content-Encoding', encoding)
    res.setHeader('Content-Length', bytes.length)
    res.end(bytes)
  }
}
