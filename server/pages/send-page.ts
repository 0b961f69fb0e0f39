import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import { DEFAULT_LANGUAGE } from '../../shared/language.ts'
import type { FormResult } from '../../shared/page-state.ts'
import { findPage, getPage, type PageId } from '../../shared/pages.ts'
import type { Config } from '../config.ts'
import { renewChoices } from '../requests/choices.ts'
import { streamDocument } from './document.ts'
import { chooseEncoding, type Encoding, encode, recompress } from './encodings.ts'
import type { RenderedPage, Renderer } from './renderer.ts'

export interface PageDeps {
  config: Pick<Config, 'contactLimit' | 'retention' | 'https'>
  renderer: Renderer
  /** Canonical origin. */
  origin: string
  /** Current time in epoch ms. */
  now: () => number
}

interface Extras {
  /** Outcome of this visitor's form. Such a page is not cached. */
  contact?: FormResult
  /** The entry of SERVICE_IDS that the form proposes. */
  service?: string
  /** The time that the visitor's form was opened; by default, the time of this answer. */
  formStartTime?: string
  /** HTTP status to send in place of the page's own. */
  status?: number
}

/** The bytes of a page in one encoding, once it is rendered. */
interface CachedPage {
  bytes: Promise<Buffer>
  /** Of a page that contains the time. */
  time?: string
}

/** The contact page, which contains the time, is cached for this interval. */
const TIME_STEP_MS = 100

export type SendPage = ReturnType<typeof createSendPage>

/** The returned function sends a page: from the cache, or else as React renders it. */
export function createSendPage({ config, renderer, origin, now }: PageDeps) {
  const { contactLimit: limit, retention, https } = config
  const edition = createHash('sha256')
    .update(JSON.stringify([renderer.build, origin, limit, retention]))
    .digest('base64url')
    .slice(0, 22)
  const cache = new Map<string, CachedPage>()

  /** Rounded down: with a time ahead of the clock, a form sent just after MIN_FILL_MS would be refused. */
  const getTime = () => String(Math.floor(now() / TIME_STEP_MS) * TIME_STEP_MS)

  /** Caches a page for the next visitor. One that lasts is worth the best compression, afterwards. */
  function cachePage(key: string, page: CachedPage, encoding?: Encoding): void {
    cache.set(key, page)
    const improve = async () => {
      const bytes = await page.bytes
      if (encoding !== 'br' || page.time) return
      const smaller = await recompress(bytes)
      cache.set(key, { bytes: Promise.resolve(smaller) })
    }
    improve().catch(() => cache.delete(key))
  }

  return async (req: Request, res: Response, id: PageId, extras: Extras = {}): Promise<void> => {
    const { contact, service } = extras
    const page = getPage(id)
    // The error page of a path with a language has that language.
    const language = res.locals.chosenLanguage ?? findPage(req.path)?.language ?? DEFAULT_LANGUAGE
    const variant = [edition, id, language, service].filter(Boolean).join('-')
    const encoding = chooseEncoding(req)
    const isCacheable = renderer.build !== undefined && !contact
    const key = `${variant} ${encoding}`

    res.locals.page = id
    res.status(extras.status ?? page.status)
    res.type('html').vary('Accept-Encoding')
    res.set('Cache-Control', contact?.isShownAgain ? 'no-store' : 'private, no-cache')
    renewChoices(req, res, https)
    if (isCacheable) {
      res.set('ETag', `W/"${variant}"`)
      if (req.fresh) {
        res.status(304).end()
        return
      }
    }
    if (encoding) res.set('Content-Encoding', encoding)

    const time = id === 'contact' ? (extras.formStartTime ?? getTime()) : undefined
    const cached = isCacheable ? cache.get(key) : undefined
    if (cached && cached.time === time) {
      const bytes = await cached.bytes
      res.set('Content-Length', String(bytes.length)).end(bytes)
      return
    }
    const formStartTime = time
    const state = { page: id, language, origin, limit, retention, contact, service, formStartTime }
    const bytes = renderer.render(state).then((rendered) => streamPage(rendered, res, encoding))
    if (isCacheable) cachePage(key, { bytes, time }, encoding)
    await bytes
  }
}

/**
 * Sends a page as it is rendered; resolves to the sent bytes. Does not wait for a slow visitor, because others wait for the
 * same bytes.
 */
async function streamPage(page: RenderedPage, res: Response, encoding?: Encoding): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of encode(streamDocument(page), encoding)) {
    chunks.push(chunk)
    if (!res.destroyed) res.write(chunk)
  }
  res.end()
  return Buffer.concat(chunks)
}
