import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import { LANGUAGE_KEY } from '../../shared/constants.ts'
import { writeCookie } from '../../shared/cookie.ts'
import { DEFAULT_LANGUAGE } from '../../shared/language.ts'
import type { ContactOutcome, PageState } from '../../shared/page-state.ts'
import { getPage, type PageId } from '../../shared/pages.ts'
import type { Config } from '../config/config.ts'
import { logOf } from '../log.ts'
import { findChosenLanguage } from '../requests/language.ts'
import { createDocumentCache } from './document-cache.ts'
import { chooseEncoding, type Encoding } from './encoding.ts'
import { type Renderer, sendDocument } from './renderer.ts'

interface PageParts {
  config: Config
  renderer: Renderer
  /** The canonical origin. */
  origin: string
  now: () => number
}

interface Extras {
  /** Outcome of this visitor's form; such a page is never cached. */
  contact?: ContactOutcome
  /** In place of the page's own. */
  status?: number
}

/**
 * Answers a page in the visitor's language: the first visitor gets it streamed while it is rendered, later ones
 * from the cache. A page that throws gives the page of the server error.
 */
export type AnswerPage = (req: Request, res: Response, id: PageId, extras?: Extras) => Promise<void>

interface Head {
  etag?: string
  encoding?: Encoding
  length?: number
  /** The page holds the visitor's input. */
  isPersonal?: boolean
  cookie?: string
}

/** Writes the head of every page: cached, streamed, unchanged or failed. */
function writeHead(res: Response, status: number, head: Head): Response {
  const { etag, encoding = 'identity', length, isPersonal, cookie } = head
  const lines = ['Content-Type', 'text/html; charset=utf-8', 'Vary', 'Accept-Encoding']
  lines.push('Cache-Control', isPersonal ? 'no-store' : 'private, no-cache')
  if (etag) lines.push('ETag', etag)
  if (encoding !== 'identity') lines.push('Content-Encoding', encoding)
  if (length !== undefined) lines.push('Content-Length', String(length))
  if (cookie) lines.push('Set-Cookie', cookie)
  return res.writeHead(status, lines)
}

function isFresh(req: Request, res: Response, status: number, etag: string): boolean {
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

  /** `onEnd` gets the document if all of it was rendered, and is called before the answer is sent to the end. */
  const stream = async (
    res: Response,
    state: PageState,
    status: number,
    head: Head,
    onEnd?: (html?: Buffer) => void,
  ) => {
    let failed = false
    const onError = (error: unknown) => {
      failed = true
      logOf(res).error({ err: error }, 'a page failed while it was streamed')
    }
    const html = await renderer.render(state, onError).catch((error) => {
      failed = true
      onEnd?.()
      logOf(res).error({ err: error }, 'a page could not be rendered')
      return renderer.render({ ...state, page: 'server-error' }, onError)
    })
    const chunks: Buffer[] = []
    html.on('data', (chunk) => chunks.push(chunk))
    html.once('end', () => onEnd?.(failed ? undefined : Buffer.concat(chunks)))
    html.once('close', () => onEnd?.())
    if (failed) writeHead(res, 500, { ...head, etag: undefined })
    else writeHead(res, status, head)
    await sendDocument(html, res)
  }

  return async (req, res, id, { contact, status = getPage(id).status } = {}) => {
    const chosen = findChosenLanguage(req)
    const language = chosen ?? getPage(id).language ?? DEFAULT_LANGUAGE
    // Renewed with each page: some browsers forget cookies of scripts after a week.
    const cookie = chosen && writeCookie(LANGUAGE_KEY, chosen, config.https)
    const createState = (time: string): PageState => {
      const formStartTime = id === 'contact' ? time : undefined
      return { page: id, language, origin, limit, retention, formStartTime, contact }
    }
    res.locals.label = id
    if (contact || !renderer.build) {
      const isPersonal = contact?.values !== undefined
      await stream(res, createState(String(now())), status, { isPersonal, cookie })
      return
    }
    const etag = `W/"${edition}-${id}-${language}"`
    if (isFresh(req, res, status, etag)) {
      writeHead(res, 304, { etag, cookie }).end()
      return
    }
    // If the rendering fails, the first visitor that waited begins another one.
    while (cache.findRendering(etag)) await cache.findRendering(etag)
    const document = cache.find(etag)
    if (document) {
      const encoding = chooseEncoding(req.headers['accept-encoding'])
      const bytes = document.encode(encoding, now)
      writeHead(res, status, { etag, encoding, length: bytes.length, cookie }).end(bytes)
      return
    }
    const time = String(now())
    const finish = cache.begin(etag, time)
    await stream(res, createState(time), status, { etag, cookie }, finish).finally(finish)
  }
}
