import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { Request } from 'express'

export const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The first of ours that the client accepts: browsers name gzip before br. */
export function chooseEncoding(req: Request, available: readonly Encoding[] = ENCODINGS): Encoding {
  return available.find((each) => req.acceptsEncodings(each)) ?? 'identity'
}

const FAST_QUALITY = 4
/** 256 KiB, more than a document. A larger window costs more memory. */
const WINDOW_BITS = 18

const getBrotliOptions = (quality: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
  },
})

export const compressFast: Record<Encoding, (bytes: Buffer) => Buffer> = {
  br: (bytes) => brotliCompressSync(bytes, getBrotliOptions(FAST_QUALITY)),
  gzip: (bytes) => gzipSync(bytes),
  identity: (bytes) => bytes,
}

const compressWell: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, getBrotliOptions(constants.BROTLI_MAX_QUALITY)),
  gzip: (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  identity: async (bytes) => bytes,
}

/** Encodes a document. One that `lasts` is worth the slow, best compression; if that fails, the fast one stays. */
export function createDocument(html: string, lasts: boolean) {
  const plain = Buffer.from(html)
  const encoded: Partial<Record<Encoding, Buffer>> = {}
  /** Do not change the returned bytes: answers share them. */
  return (encoding: Encoding): Buffer => {
    const known = encoded[encoding]
    if (known) return known
    const bytes = compressFast[encoding](plain)
    encoded[encoding] = bytes
    const replace = (smaller: Buffer) => {
      encoded[encoding] = smaller
    }
    if (lasts) compressWell[encoding](plain).then(replace, () => {})
    return bytes
  }
}

export type StoredDocument = ReturnType<typeof createDocument>
