import { once } from 'node:events'
import {
  type BrotliCompress,
  constants,
  crc32,
  createBrotliCompress,
  createGzip,
  type Gzip,
} from 'node:zlib'

/** Number of digits of a time in epoch ms, for the years 2001 to 2286. */
const TIME_LENGTH = 13

/** Bytes that UTF-8 never contains. */
const UNUSED = Buffer.from('c0c1f5f6f7f8f9fafbfcfdfeff', 'hex')
/** A placeholder replaces a time during compression. Documents never contain it, so no piece refers to it. */
const PLACEHOLDERS = [UNUSED, Buffer.from(UNUSED).reverse()]

/** 256 KiB, more than a document. A larger window costs more memory. */
const WINDOW_BITS = 18

const FORMATS = {
  br: {
    create: (isConstant: boolean) =>
      createBrotliCompress({
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
          // Otherwise brotli could choose the code of a byte by the timestamp before it, which changes.
          [constants.BROTLI_PARAM_DISABLE_LITERAL_CONTEXT_MODELING]: isConstant ? 0 : 1,
        },
      }),
    /** Header of an uncompressed meta-block of TIME_LENGTH bytes (RFC 7932, 9.2). */
    stored: Buffer.from([(TIME_LENGTH - 1) << 3, 0, 0x08]),
  },
  gzip: {
    create: () => createGzip({ level: constants.Z_BEST_COMPRESSION }),
    /** Header of a stored block of TIME_LENGTH bytes (RFC 1951, 3.2.4). */
    stored: Buffer.from([0, TIME_LENGTH, 0, ~TIME_LENGTH, 0xff]),
  },
}

/** A gzip file ends with a CRC and a size, 4 bytes each. */
const GZIP_TRAILER_BYTES = 8

export function joinAround(pieces: Buffer[], between: Buffer): Buffer {
  return Buffer.concat(pieces.flatMap((piece, at) => (at > 0 ? [between, piece] : [piece])))
}

/** Returns only the compressed pieces. A flush ends each at a byte boundary, so that bytes can be inserted between. */
async function compressPieces(
  compressor: BrotliCompress | Gzip,
  pieces: Buffer[],
): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  compressor.on('data', (chunk) => chunks.push(chunk))
  const compress = async (input: Buffer) => {
    compressor.write(input)
    await new Promise<void>((resolve) => compressor.flush(resolve))
    return Buffer.concat(chunks.splice(0))
  }
  const compressed: Buffer[] = []
  for (const [at, piece] of pieces.slice(0, -1).entries()) {
    const placeholder = PLACEHOLDERS[at]
    if (!placeholder)
      throw new Error(`a document may contain at most ${PLACEHOLDERS.length} timestamps`)
    compressed.push(await compress(piece))
    await compress(placeholder)
  }
  compressor.end(pieces.at(-1))
  await once(compressor, 'end')
  return [...compressed, Buffer.concat(chunks)]
}

/** Compresses the pieces once. The returned function inserts a time without compression. */
export async function compressAround(
  pieces: Buffer[],
  encoding: keyof typeof FORMATS,
): Promise<(time: Buffer) => Buffer> {
  const { create, stored } = FORMATS[encoding]
  const compressed = await compressPieces(create(pieces.length === 1), pieces)
  return (time) => {
    const bytes = joinAround(compressed, Buffer.concat([stored, time]))
    if (encoding === 'gzip') {
      bytes.writeUInt32LE(crc32(joinAround(pieces, time)), bytes.length - GZIP_TRAILER_BYTES)
    }
    return bytes
  }
}
