import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import { writeCookie } from '../../shared/format.ts'
import { DEFAULT_LANGUAGE, LANGUAGE_KEY } from '../../shared/language.ts'
import type { FormResult, PageState } from '../../shared/page-state.ts'
import { getPage, type PageId } from '../../shared/pages.ts'
import type { Config } from '../config/config.ts'
import { findChosenLanguage } from '../requests/language.ts'
import { getRequestLog } from '../requests/log-requests.ts'
import { createDocument, type StoredDocument } from './documents.ts'
import { chooseEncoding, type Encoding } from './encoding.ts'
import type { Renderer } from './renderer.ts'

interface PageDeps {
  config: Config
  renderer: Renderer
  origin: string
  now: () => number
}

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

/** Sends a page in the chosen language, else in the page's own, else in French. Returns a promise only if the page must be rendered. */
export type AnswerPage = (
  req: Request,
  res: Response,
  id: PageId,
  extras?: Extras,
) => Promise<void> | undefined

interface PageHead {
  status: number
  etag?: string
  encoding?: Encoding
  isPersonal?: boolean
  cookie?: string
}

/** A document that contains the time is compressed at most once per encoding in this interval. */
const TIME_STEP_MS = 100

export function createAnswerPage({ config, renderer, origin, now }: PageDeps): AnswerPage {
  const { contactLimit: limit, retention } = config
  const edition = createHash('sha256')
    .update(JSON.stringify([renderer.build, origin, limit, retention]))
    .digest('base64url')
    .slice(0, 22)
  const documents = new Map<string, StoredDocument>()

  /** Rounded down: with a time ahead of the clock, a form sent just after MIN_FILL_MS would be refused. */
  const getTime = () => String(Math.floor(now() / TIME_STEP_MS) * TIME_STEP_MS)

  const answerPage: AnswerPage = (req, res, id, extras = {}) => {
    const { contact, service } = extras
    const page = getPage(id)
    const chosen = findChosenLanguage(req)
    const language = chosen ?? page.language ?? DEFAULT_LANGUAGE
    // Some browsers keep a script's cookie for only a week, so each page renews the cookie.
    const cookie = chosen && writeCookie(LANGUAGE_KEY, chosen, config.https)
    const isPersonal = contact?.values !== undefined
    const head: PageHead = { status: extras.status ?? page.status, cookie, isPersonal }
    const variant = [edition, id, language, service].filter(Boolean).join('-')
    if (!contact && renderer.build) {
      head.etag = `W/"${variant}"`
      const known = req.headers['if-none-match']
      if (head.status === 200 && (known === '*' || known?.includes(`"${variant}"`))) {
        writePageHead(res, { ...head, status: 304 }).end()
        return
      }
    }
    const formStartTime = id === 'contact' ? (extras.formStartTime ?? getTime()) : undefined
    const reference = typeof contact?.sent === 'string' ? contact.sent : undefined
    // These texts are replaced in a stored document.
    const varying = [formStartTime, reference].filter((text) => text !== undefined)
    const key = head.etag ?? (renderer.build && reference ? `${variant}-sent` : undefined)
    // Compression costs as much as a rendering, so a page of one visitor's own is not compressed.
    if (head.etag) head.encoding = chooseEncoding(req.headers['accept-encoding'])
    const document = key && documents.get(key)
    if (document) {
      sendDocument(res, document, head, varying)
      return
    }
    const state = { page: id, language, origin, limit, retention, formStartTime, contact, service }
    return sendNew(res, state, head, varying, key)
  }

  async function sendNew(
    res: Response,
    state: PageState,
    head: PageHead,
    varying: string[],
    key?: string,
  ) {
    const document = await renderDocument(res, state, varying)
    if (document) {
      if (key) documents.set(key, document)
      sendDocument(res, document, head, varying)
    } else {
      const { cookie, isPersonal } = head
      const html = await renderer.render({ ...state, page: 'server-error' })
      sendDocument(res, createDocument(html, []), { status: 500, cookie, isPersonal }, [])
    }
  }

  /** Undefined if the page cannot be rendered. */
  const renderDocument = async (res: Response, state: PageState, varying: string[]) =>
    renderer.render(state).then(
      (html) => createDocument(html, varying),
      (err) => getRequestLog(res).error({ err }, 'a page could not be rendered'),
    )

  return answerPage
}

/** Writes the status and the headers of every page: stored, new, unchanged (304) or failed. addToEveryAnswer adds others. */
function writePageHead(res: Response, head: PageHead, length?: number): Response {
  const { status, etag, encoding = 'identity', isPersonal, cookie } = head
  const lines = ['Content-Type', 'text/html; charset=utf-8', 'Vary', 'Accept-Encoding']
  lines.push('Cache-Control', isPersonal ? 'no-store' : 'private, no-cache')
  if (etag) lines.push('ETag', etag)
  if (encoding !== 'identity') lines.push('Content-Encoding', encoding)
  if (length !== undefined) lines.push('Content-Length', String(length))
  if (cookie) lines.push('Set-Cookie', cookie)
  return res.writeHead(status, lines)
}

function sendDocument(
  res: Response,
  document: StoredDocument,
  head: PageHead,
  varying: string[],
): void {
  const bytes = document.encode(head.encoding ?? 'identity', varying)
  writePageHead(res, head, bytes.length).end(bytes)
}
