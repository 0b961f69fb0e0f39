import { createHash } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import type { Language } from '../../shared/language.ts'
import type { ContactOutcome, PageState } from '../../shared/page-state.ts'
import { findPage, getPage, type PageId } from '../../shared/pages.ts'
import type { Config } from '../config/config.ts'
import { logOf } from '../log.ts'
import { findLanguageCookie, pageLanguage } from '../requests/language.ts'
import { type KeptDocument, keepDocument } from './document-cache.ts'
import { chooseEncoding, type Encoding } from './encoding.ts'
import { type Renderer, sendDocument } from './renderer.ts'

interface PageParts {
  config: Config
  renderer: Renderer
  /** The canonical origin. */
  origin: string
  now: () => number
  /** The headers that every answer has, save its request id. */
  headers: Map<string, string>
}

interface Extras {
  /** What became of this visitor's form; a page that says so is never kept. */
  contact?: ContactOutcome
  /** In place of the page's own. */
  status?: number
}

interface Rendering {
  state: PageState
  status: number
  /** Missing where the page is this visitor's own. */
  etag?: string
  /** Is called once the whole page is rendered, without an error. */
  onWhole?: (html: Buffer) => void
  /** Is called when nothing more comes of the rendering, also when the visitor has left. */
  onOver?: () => void
}

export type AnswerPage = (req: Request, res: Response, id: PageId, extras?: Extras) => Promise<void>

export interface PageAnswers {
  /**
   * Answers a page in the visitor's language: streamed as it is made to the first visitor, then from memory.
   * One that throws gives the page of the server error.
   */
  answerPage: AnswerPage
  /** Answers at once what asks plainly for a page that is kept; all else goes on. */
  answerKept: RequestHandler
}

interface KeepablePage extends Omit<Rendering, 'onWhole' | 'onOver'> {
  etag: string
  /** When it is rendered, as the page may say it. */
  time: string
}

interface KeptPage {
  document: KeptDocument
  /** Names and values in turn, which is what node writes fastest; each answer adds its own. */
  heads: Record<Encoding, string[]>
}

const PAGE_HEADERS = [
  ['Content-Type', 'text/html; charset=utf-8'],
  ['Vary', 'Accept-Encoding'],
]
const CACHED = ['Cache-Control', 'private, no-cache']
/** The page holds the visitor's input. */
const NOT_CACHED = ['Cache-Control', 'no-store']

export function createPageAnswers(parts: PageParts): PageAnswers {
  const { config, renderer, origin, now } = parts
  const { contactLimit: limit, retention } = config
  const edition = createHash('sha256')
    .update(JSON.stringify([renderer.build, origin, limit, retention]))
    .digest('base64url')
    .slice(0, 22)
  const pageHead = PAGE_HEADERS.flat()
  const wholeHead = [...parts.headers, ...PAGE_HEADERS].flat()
  const kept = new Map<string, KeptPage>()
  const underWay = new Map<string, Promise<void>>()

  const createEtag = (id: PageId, language: Language) => `W/"${edition}-${id}-${language}"`

  const createHead = (req: Request, res: Response, { etag, state }: Partial<Rendering>) => {
    const head = res.hasHeader('X-Request-Id')
      ? [...pageHead]
      : [...wholeHead, 'X-Request-Id', res.locals.requestId]
    head.push(...(state?.contact?.values ? NOT_CACHED : CACHED))
    const cookie = findLanguageCookie(req, config.https)
    if (cookie) head.push('Set-Cookie', cookie)
    if (etag) head.push('ETag', etag)
    return head
  }

  const sendKept = (req: Request, res: Response, status: number, etag: string): boolean => {
    const page = kept.get(etag)
    if (!page) return false
    const encoding = chooseEncoding(req.headers['accept-encoding'])
    const bytes = page.document.encode(encoding, now)
    const head = [...page.heads[encoding], 'Content-Length', String(bytes.length)]
    head.push('X-Request-Id', res.locals.requestId)
    const cookie = findLanguageCookie(req, config.https)
    if (cookie) head.push('Set-Cookie', cookie)
    res.writeHead(status, head).end(bytes)
    return true
  }

  const keep = (etag: string, html: Buffer, time: string) => {
    const identity = [...wholeHead, ...CACHED, 'ETag', etag]
    const br = [...identity, 'Content-Encoding', 'br']
    const gzip = [...identity, 'Content-Encoding', 'gzip']
    kept.set(etag, { document: keepDocument(html, time), heads: { identity, br, gzip } })
  }

  const stream = async (req: Request, res: Response, rendering: Rendering) => {
    const { state, status, etag, onWhole, onOver = () => {} } = rendering
    let whole = true
    const onError = (error: unknown) => {
      whole = false
      logOf(res).error({ err: error }, 'a page failed after its start')
    }
    const html = await renderer.render(state, onError).catch((error) => {
      whole = false
      onOver()
      logOf(res).error({ err: error }, 'a page could not be rendered')
      res.removeHeader('ETag')
      return renderer.render({ ...state, page: 'server-error' }, onError)
    })
    const chunks: Buffer[] = []
    html.on('data', (chunk) => chunks.push(chunk))
    html.once('end', () => {
      if (whole) onWhole?.(Buffer.concat(chunks))
    })
    html.once('close', onOver)
    if (whole) res.writeHead(status, createHead(req, res, { state, etag }))
    else res.writeHead(500, createHead(req, res, { state }))
    await sendDocument(html, res)
  }

  /** Answers a page that can be kept: of those who ask for it at once the first has it rendered, the others wait. */
  const answerOnce = async (req: Request, res: Response, page: KeepablePage) => {
    const { state, status, etag, time } = page
    while (!sendKept(req, res, status, etag)) {
      const other = underWay.get(etag)
      if (!other) {
        const { promise, resolve } = Promise.withResolvers<void>()
        underWay.set(etag, promise)
        const onOver = () => {
          if (underWay.get(etag) === promise) underWay.delete(etag)
          resolve()
        }
        const onWhole = (html: Buffer) => keep(etag, html, time)
        await stream(req, res, { state, status, etag, onWhole, onOver }).finally(onOver)
        return
      }
      await other
    }
  }

  return {
    answerKept(req, res, next) {
      const reads = req.method === 'GET' || req.method === 'HEAD'
      const page = reads && !req.headers['if-none-match'] && findPage(req.url)
      if (!page) {
        next()
        return
      }
      res.locals.label = page.id
      const etag = createEtag(page.id, pageLanguage(req, page))
      if (!sendKept(req, res, page.status, etag)) next()
    },

    async answerPage(req, res, id, { contact, status = getPage(id).status } = {}) {
      const language = pageLanguage(req, getPage(id))
      const time = String(now())
      const formStartTime = id === 'contact' ? time : undefined
      const known = { origin, limit, retention, formStartTime, contact }
      const state: PageState = { page: id, language, ...known }
      res.locals.label = id
      if (contact || !renderer.build) {
        await stream(req, res, { state, status })
        return
      }
      const etag = createEtag(id, language)
      res.status(status).setHeader('ETag', etag)
      if (req.fresh) {
        res.writeHead(304, createHead(req, res, { etag })).end()
      } else {
        await answerOnce(req, res, { state, status, etag, time })
      }
    },
  }
}
