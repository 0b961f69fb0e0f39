import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { Encoding } from './encoding.ts'

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

/** `varying`: the parts of `html` that differ from answer to answer: the form's start time, a reference. */
export function createDocument(html: string, varying: string[]) {
  const latest: Partial<Record<Encoding, { joined: string; bytes: Buffer }>> = {}
  return {
    /** Puts `texts` in the place of `varying`. Do not change the returned bytes: answers may share them. */
    encode(encoding: Encoding, texts: string[]): Buffer {
      const joined = texts.join()
      const known = latest[encoding]
      if (known?.joined === joined) return known.bytes
      const text = varying.reduce((all, old, at) => all.replaceAll(old, texts[at] ?? old), html)
      const plain = Buffer.from(text)
      const made = { joined, bytes: compressFast[encoding](plain) }
      latest[encoding] = made
      if (varying.length === 0) {
        // If it fails, the bytes of the fast compression stay.
        compressWell[encoding](plain).then(
          (bytes) => {
            made.bytes = bytes
          },
          () => {},
        )
      }
      return made.bytes
    },
  }
}

export type StoredDocument = ReturnType<typeof createDocument>
