import { createHash } from 'node:crypto'
import type { RequestHandler } from 'express'
import { chooseEncoding, compressFast, ENCODINGS, type Encoding } from './documents.ts'

/** The same bytes in each encoding that can be sent. */
export type Body = { identity: Buffer } & { [Each in Encoding]?: Buffer | undefined }

export function compress(text: Buffer | string): Body {
  const identity = Buffer.from(text)
  return { identity, br: compressFast.br(identity), gzip: compressFast.gzip(identity) }
}

/** Answers with a body that stays the same while the site runs. */
export function answerConstant(type: string, body: Body, headers = {}): RequestHandler {
  const encodings = ENCODINGS.filter((each) => body[each])
  const hash = createHash('sha256').update(body.identity).digest('base64url').slice(0, 22)
  const constant = {
    'Content-Type': type,
    'Cache-Control': 'no-cache',
    ETag: `W/"${hash}"`,
    Vary: 'Accept-Encoding',
    ...headers,
  }
  return (req, res) => {
    res.set(constant)
    if (req.fresh) {
      res.status(304).end()
      return
    }
    const encoding = chooseEncoding(req, encodings)
    const bytes = body[encoding] ?? body.identity
    if (encoding !== 'identity') res.set('Content-Encoding', encoding)
    res.set('Content-Length', String(bytes.length)).end(bytes)
  }
}
