import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { compressAround, joinAround } from '../fast-path/compress-around.ts'
import type { Encoding } from './encoding.ts'

export interface CachedDocument {
  /** The time of rendering is replaced by the current time. Do not change the bytes: calls may share them. */
  encode(encoding: Encoding, now: () => number): Buffer
}

export interface DocumentCache {
  find(key: string): CachedDocument | undefined
  /** Settles when the current rendering ends, with or without a document. */
  findRendering(key: string): Promise<void> | undefined
  /** Begins a rendering. Call the returned function at its end, with the document if the cache should keep it. */
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

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Compresses a document in the background, once for each requested encoding. Only the time stays uncompressed. */
function createDocument(html: Buffer, time: string): CachedDocument {
  const texts = html.toString().split(time)
  const isConstant = texts.length === 1
  const pieces = isConstant ? [html] : texts.map((text) => Buffer.from(text))
  const write = (now: Buffer) => (isConstant ? html : joinAround(pieces, now))
  // The br and gzip encoders compress each answer fast, until `compress` replaces them. If `compress` fails, they stay.
  const encoders: Record<Encoding, (now: Buffer) => Buffer> = {
    identity: write,
    br: (now) => brotliCompressSync(write(now), FAST),
    gzip: (now) => gzipSync(write(now)),
  }
  const latest: Partial<Record<Encoding, { at: number; bytes: Buffer }>> = {}
  const requested = new Set<Encoding>()
  const compress = async (encoding: Encoding) => {
    if (encoding === 'identity') return
    encoders[encoding] = await compressAround(pieces, encoding)
    delete latest[encoding]
  }
  return {
    encode(encoding, now) {
      if (!requested.has(encoding)) compress(encoding).catch(() => {})
      requested.add(encoding)
      const at = isConstant ? 0 : now()
      const known = latest[encoding]
      if (known?.at === at) return known.bytes
      const bytes = encoders[encoding](Buffer.from(String(at)))
      latest[encoding] = { at, bytes }
      return bytes
    },
  }
}
