import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import { LANGUAGE_KEY } from '../../shared/constants.ts'
import { writeCookie } from '../../shared/format.ts'
import { DEFAULT_LANGUAGE } from '../../shared/language.ts'
import type { ContactOutcome, PageState } from '../../shared/page-state.ts'
import { getPage, type PageId } from '../../shared/pages.ts'
import type { Config } from '../config/config.ts'
import { remember } from '../fast-path/remember.ts'
import { findChosenLanguage } from '../requests/language.ts'
import { getRequestLog } from '../requests/locals.ts'
import { type CachedDocument, createDocumentCache } from './document-cache.ts'
import { chooseEncoding, type Encoding } from './encoding.ts'
import { type Renderer, sendDocument } from './renderer.ts'

interface PageParts {
  config: Config
  renderer: Renderer
  origin: string
  now: () => number
}

const findEncoding = remember(chooseEncoding)

interface Extras {
  /** Outcome of this visitor's form; such a page is never cached. */
  contact?: ContactOutcome
  /** HTTP status to send instead of the page's own. */
  status?: number
}

/** Sends a page in the visitor's language, from the cache if possible. */
export type AnswerPage = (
  req: Request,
  res: Response,
  id: PageId,
  extras?: Extras,
) => Promise<void> | undefined

interface Head {
  status: number
  etag?: string
  encoding?: Encoding
  length?: number
  /** The page holds the visitor's input. */
  isPersonal?: boolean
  cookie?: string
}

/** Writes the status and the headers of every page: cached, streamed, unchanged (304) or failed. */
function writeHead(res: Response, head: Head): Response {
  const { status, etag, encoding = 'identity', length, isPersonal, cookie } = head
  const lines = ['Content-Type', 'text/html; charset=utf-8', 'Vary', 'Accept-Encoding']
  lines.push('Cache-Control', isPersonal ? 'no-store' : 'private, no-cache')
  if (etag) lines.push('ETag', etag)
  if (encoding !== 'identity') lines.push('Content-Encoding', encoding)
  if (length !== undefined) lines.push('Content-Length', String(length))
  if (cookie) lines.push('Set-Cookie', cookie)
  return res.writeHead(status, lines)
}

function isFresh(req: Request, res: Response, { status, etag = '' }: Head): boolean {
  if (!req.headers['if-none-match']) return false
  res.status(status).setHeader('ETag', etag)
  const { fresh } = req
  res.removeHeader('ETag')
  return fresh
}

export function createPageAnswers({ config, renderer, origin, now }: PageParts): AnswerPage {
  const { contactLimit: limit, retention } = config
  const edition = createHash('sha256')
    .update(JSON.stringify([renderer.build, origin, limit, retention]))
    .digest('base64url')
    .slice(0, 22)
  const cache = createDocumentCache()
  const cookies = {
    fr: writeCookie(LANGUAGE_KEY, 'fr', config.https),
    en: writeCookie(LANGUAGE_KEY, 'en', config.https),
  }

  /** Calls `onEnd` before the answer ends. Passes the document, unless its rendering failed or stopped. */
  const stream = async (
    res: Response,
    state: PageState,
    head: Head,
    onEnd?: (html?: Buffer) => void,
  ) => {
    let failed = false
    const onError = (error: unknown) => {
      failed = true
      getRequestLog(res).error({ err: error }, 'a page failed while it was streamed')
    }
    const html = await renderer.render(state, onError).catch((error) => {
      failed = true
      onEnd?.()
      getRequestLog(res).error({ err: error }, 'a page could not be rendered')
      return renderer.render({ ...state, page: 'server-error' }, onError)
    })
    const chunks: Buffer[] = []
    html.on('data', (chunk) => chunks.push(chunk))
    html.once('end', () => onEnd?.(failed ? undefined : Buffer.concat(chunks)))
    html.once('close', () => onEnd?.())
    writeHead(res, failed ? { ...head, status: 500, etag: undefined } : head)
    await sendDocument(html, res)
  }

  const sendCached = (req: Request, res: Response, document: CachedDocument, head: Head) => {
    head.encoding = findEncoding(req.headers['accept-encoding'] ?? '')
    const bytes = document.encode(head.encoding, now)
    head.length = bytes.length
    writeHead(res, head).end(bytes)
  }

  /** Of concurrent requests for a page, only the first renders it. The other requests wait for its document. */
  const renderOnce = async (req: Request, res: Response, state: PageState, head: Head) => {
    const { etag = '' } = head
    // If the rendering fails, the first waiting request renders again.
    while (cache.findRendering(etag)) await cache.findRendering(etag)
    const document = cache.find(etag)
    if (document) {
      sendCached(req, res, document, head)
      return
    }
    const time = String(now())
    const finish = cache.begin(etag, time)
    await stream(res, withTime(state, time), head, finish).finally(finish)
  }

  return (req, res, id, { contact, status } = {}) => {
    const page = getPage(id)
    const chosen = findChosenLanguage(req)
    const language = chosen ?? page.language ?? DEFAULT_LANGUAGE
    // Some browsers keep a script's cookie for only a week, so each page renews the cookie.
    const cookie = chosen && cookies[chosen]
    const head: Head = { status: status ?? page.status, cookie }
    if (!contact && renderer.build) {
      head.etag = `W/"${edition}-${id}-${language}"`
      if (isFresh(req, res, head)) {
        writeHead(res, { ...head, status: 304 }).end()
        return
      }
      const document = cache.find(head.etag)
      if (document) {
        sendCached(req, res, document, head)
        return
      }
    }
    const state = { page: id, language, origin, limit, retention, contact }
    if (head.etag) return renderOnce(req, res, state, head)
    head.isPersonal = contact?.values !== undefined
    return stream(res, withTime(state, String(now())), head)
  }
}

/** The contact form sends this time back. When the page comes from the cache, the cache inserts the current time. */
function withTime(state: PageState, time: string): PageState {
  return state.page === 'contact' ? { ...state, formStartTime: time } : state
}
