import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import { writeCookie } from '../../shared/format.ts'
import { DEFAULT_LANGUAGE, LANGUAGE_KEY } from '../../shared/language.ts'
import type { FormResult } from '../../shared/page-state.ts'
import { getPage, type PageId } from '../../shared/pages.ts'
import type { Parts } from '../app.ts'
import { findChosenLanguage } from '../requests/language.ts'
import { getRequestLog } from '../requests/log-requests.ts'
import { chooseEncoding, createDocument, type Encoding, type StoredDocument } from './documents.ts'

type PageDeps = Pick<Parts, 'config' | 'renderer' | 'origin' | 'now'>

interface Extras {
  /** Outcome of this visitor's form. */
  contact?: FormResult
  /** The entry of SERVICE_IDS that the form proposes. */
  service?: string
  /** The time that the visitor's form was opened; by default, the time of this answer. */
  formStartTime?: string
  /** HTTP status to send instead of the page's own. */
  status?: number
}

interface PageHead {
  status: number
  etag?: string
  encoding?: Encoding
  /** The page shows the visitor's text, so no cache may store it. */
  isShownAgain?: boolean
  cookie?: string
}

/** The contact page, which holds the time, is rendered again after this interval. */
const TIME_STEP_MS = 100

export type AnswerPage = ReturnType<typeof createAnswerPage>

export function createAnswerPage({ config, renderer, origin, now }: PageDeps) {
  const { contactLimit: limit, retention } = config
  const edition = createHash('sha256')
    .update(JSON.stringify([renderer.build, origin, limit, retention]))
    .digest('base64url')
    .slice(0, 22)
  /** The newest document of each ETag. */
  const documents = new Map<string, { time?: string; document: Promise<StoredDocument> }>()

  /** Rounded down: with a time ahead of the clock, a form sent just after MIN_FILL_MS would be refused. */
  const getTime = () => String(Math.floor(now() / TIME_STEP_MS) * TIME_STEP_MS)

  /** Sends a page in the chosen language, else in the page's own, else in French. */
  return async (req: Request, res: Response, id: PageId, extras: Extras = {}): Promise<void> => {
    const { contact, service } = extras
    const page = getPage(id)
    const chosen = findChosenLanguage(req)
    const language = chosen ?? page.language ?? DEFAULT_LANGUAGE
    // Some browsers keep a script's cookie for only a week, so each page renews the cookie.
    const cookie = chosen && writeCookie(LANGUAGE_KEY, chosen, config.https)
    const isShownAgain = contact?.isShownAgain
    const head: PageHead = { status: extras.status ?? page.status, cookie, isShownAgain }
    if (!contact && renderer.build) {
      const variant = [edition, id, language, service].filter(Boolean).join('-')
      head.etag = `W/"${variant}"`
      const known = req.headers['if-none-match']
      if (head.status === 200 && (known === '*' || known?.includes(`"${variant}"`))) {
        writePageHead(res, { ...head, status: 304 }).end()
        return
      }
      // Compression costs as much as a rendering, so the outcome of one visitor's form is not compressed.
      head.encoding = chooseEncoding(req)
    }
    const time = id === 'contact' ? (extras.formStartTime ?? getTime()) : undefined
    const state = { page: id, language, origin, limit, retention, contact, service }
    const render = async () =>
      createDocument(await renderer.render({ ...state, formStartTime: time }), !time)
    const key = head.etag ?? ''
    const stored = documents.get(key)
    const document = stored && stored.time === time ? stored.document : render()
    if (key) documents.set(key, { time, document })
    try {
      const bytes = (await document)(head.encoding ?? 'identity')
      writePageHead(res, head, bytes.length).end(bytes)
    } catch (err) {
      documents.delete(key)
      getRequestLog(res).error({ err }, 'a page could not be rendered')
      const bytes = Buffer.from(await renderer.render({ ...state, page: 'server-error' }))
      writePageHead(res, { status: 500, cookie, isShownAgain }, bytes.length).end(bytes)
    }
  }
}

/** Writes the status and the headers of every page: stored, new, unchanged (304) or failed. Headers that were set before,
 * such as Retry-After, stay; addToEveryAnswer adds others. */
function writePageHead(res: Response, head: PageHead, length?: number): Response {
  const { status, etag, encoding = 'identity', isShownAgain, cookie } = head
  const lines = ['Content-Type', 'text/html; charset=utf-8', 'Vary', 'Accept-Encoding']
  lines.push('Cache-Control', isShownAgain ? 'no-store' : 'private, no-cache')
  if (etag) lines.push('ETag', etag)
  if (encoding !== 'identity') lines.push('Content-Encoding', encoding)
  if (length !== undefined) lines.push('Content-Length', String(length))
  if (cookie) lines.push('Set-Cookie', cookie)
  return res.writeHead(status, lines)
}
