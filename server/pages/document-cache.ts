import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { Encoding } from './encoding.ts'

/** A document that has been made once, to answer from. */
export interface KeptDocument {
  /** Its bytes in an encoding; the time, in ms, stands where that did which it was made with. */
  encode(encoding: Encoding, now: () => number): Buffer
}

const brotli = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
const HASTY = brotli(4)
const SMALLEST = brotli(constants.BROTLI_MAX_QUALITY)

function encodeNow(html: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'br') return brotliCompressSync(html, HASTY)
  return encoding === 'gzip' ? gzipSync(html) : html
}

function keepConstant(html: Buffer): KeptDocument {
  const kept: Partial<Record<Encoding, Buffer>> = { identity: html }
  const compress = async () => {
    kept.br = await promisify(brotliCompress)(html, SMALLEST)
    kept.gzip = await promisify(gzip)(html, { level: constants.Z_BEST_COMPRESSION })
  }
  // Until it is done, and should it fail, the hasty way serves.
  compress().catch(() => {})
  return {
    encode(encoding) {
      kept[encoding] ??= encodeNow(html, encoding)
      return kept[encoding]
    },
  }
}

/** Keeps a document; one that says the time that it was made with says that of each answer later. */
export function keepDocument(html: Buffer, time: string): KeptDocument {
  const pieces = html.toString().split(time)
  if (pieces.length === 1) return keepConstant(html)
  return { encode: (encoding, now) => encodeNow(Buffer.from(pieces.join(String(now()))), encoding) }
}
