import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { Encoding } from './encoding.ts'

export interface CachedDocument {
  /** Encoded bytes, with the time of rendering replaced by the current one. */
  encode(encoding: Encoding, now: () => number): Buffer
}

export interface DocumentCache {
  find(key: string): CachedDocument | undefined
  /** Settles when the current rendering ends, with or without a document. */
  findRendering(key: string): Promise<void> | undefined
  /** Begins a rendering at this time; call `finish` when it ends, with the document if it is to be cached. */
  begin(key: string, time: string): (html?: Buffer) => void
}

export function createDocumentCache(): DocumentCache {
  const documents = new Map<string, CachedDocument>()
  const renderings = new Map<string, Promise<void>>()
  return {
    find: (key) => documents.get(key),
    findRendering: (key) => renderings.get(key),
    begin(key, time) {
      const { promise, resolve } = Promise.withResolvers<void>()
      renderings.set(key, promise)
      return (html) => {
        if (html) documents.set(key, createDocument(html, time))
        if (renderings.get(key) === promise) renderings.delete(key)
        resolve()
      }
    },
  }
}

const brotli = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
const FAST = brotli(4)
const SMALLEST = brotli(constants.BROTLI_MAX_QUALITY)

function encodeNow(html: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'br') return brotliCompressSync(html, FAST)
  return encoding === 'gzip' ? gzipSync(html) : html
}

/** A document that contains the time is encoded anew for each answer. */
function createDocument(html: Buffer, time: string): CachedDocument {
  const pieces = html.toString().split(time)
  if (pieces.length === 1) return createConstant(html)
  return { encode: (encoding, now) => encodeNow(Buffer.from(pieces.join(String(now()))), encoding) }
}

function createConstant(html: Buffer): CachedDocument {
  const encoded: Partial<Record<Encoding, Buffer>> = { identity: html }
  const compress = async () => {
    encoded.br = await promisify(brotliCompress)(html, SMALLEST)
    encoded.gzip = await promisify(gzip)(html, { level: constants.Z_BEST_COMPRESSION })
  }
  // Until this ends, or if it fails, the fast compression serves.
  compress().catch(() => {})
  return {
    encode(encoding) {
      encoded[encoding] ??= encodeNow(html, encoding)
      return encoded[encoding]
    },
  }
}
