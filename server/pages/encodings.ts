import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import zlib, { constants } from 'node:zlib'
import type { Request } from 'express'

const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The first of ours that the client accepts: browsers name gzip before br. */
export function chooseEncoding(req: Request): Encoding | undefined {
  return ENCODINGS.find((each) => req.acceptsEncodings(each))
}

const STREAM_QUALITY = 4
/** 256 KiB, more than a document. A larger window costs more memory. */
const WINDOW_BITS = 18

const setQuality = (quality: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
  },
})

/** Flushes after each chunk of the document. Otherwise the encoder would send the whole document in one piece. */
const createEncoder = {
  br: () =>
    zlib.createBrotliCompress({
      ...setQuality(STREAM_QUALITY),
      flush: constants.BROTLI_OPERATION_FLUSH,
    }),
  gzip: () => zlib.createGzip({ flush: constants.Z_SYNC_FLUSH }),
}

/** Encodes a document chunk by chunk. An error of the document becomes one of the returned stream. */
export function encode(document: AsyncIterable<Buffer>, encoding?: Encoding): Readable {
  if (!encoding) return Readable.from(document)
  return pipeline(document, createEncoder[encoding](), () => {})
}

/** Encodes bytes of brotli once more, as small as possible; too slow for a visitor who waits. */
export async function recompress(bytes: Buffer): Promise<Buffer> {
  const plain = await promisify(zlib.brotliDecompress)(bytes)
  return promisify(zlib.brotliCompress)(plain, setQuality(constants.BROTLI_MAX_QUALITY))
}
