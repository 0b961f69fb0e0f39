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
/**
 * One placeholder for each timestamp of a document. The bytes of a placeholder occur nowhere else, so no compressed
 * piece has a back-reference to them. A time can therefore replace a placeholder while the compressed pieces stay the
 * same.
 */
const PLACEHOLDERS = [UNUSED, Buffer.from(UNUSED).reverse()]

/**
 * 2 ** 18 bytes are 256 KiB, more than a document. A larger window costs more memory: the default window costs 32 MB
 * for each document.
 */
const WINDOW_BITS = 18

const FORMATS = {
  br: {
    create: (isConstant: boolean) =>
      createBrotliCompress({
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
          // Otherwise brotli's code for a byte depends on the two bytes before it, which can be bytes of the time.
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

/**
 * Compresses pieces and placeholders in one stream. A flush ends each of them at a byte boundary. Returns only the
 * compressed pieces.
 */
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

/**
 * Compresses the pieces of a document once. The returned function puts a time between them, uncompressed, so that an
 * answer costs no compression.
 */
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
