import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const MOST_COLOURS = 256

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}

/** Red, green and blue of a pixel as it lies in memory. */
const channelsOf = (pixel: number) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255]

function distance(a: number, b: number): number {
  const red = (a & 255) - (b & 255)
  const green = ((a >> 8) & 255) - ((b >> 8) & 255)
  const blue = ((a >> 16) & 255) - ((b >> 16) & 255)
  return red * red + green * green + blue * blue
}

/** The stretches of equal pixels: a flat picture has few. */
function* findRuns(pixels: Uint32Array): Generator<{ colour: number; start: number; end: number }> {
  let start = 0
  for (let end = 1; end <= pixels.length; end += 1) {
    if (pixels[end] === pixels[start]) continue
    yield { colour: pixels[start] ?? 0, start, end }
    start = end
  }
}

/** The most frequent colours, and for every colour the nearest of them. */
function choosePalette(pixels: Uint32Array): { palette: number[]; indexes: Map<number, number> } {
  const counts = new Map<number, number>()
  for (const { colour, start, end } of findRuns(pixels)) {
    counts.set(colour, (counts.get(colour) ?? 0) + end - start)
  }
  const ordered = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
  const palette = ordered.slice(0, MOST_COLOURS)
  const nearest = (colour: number) =>
    palette.reduce(
      (best, each, i) => (distance(each, colour) < distance(palette[best] ?? 0, colour) ? i : best),
      0,
    )
  return { palette, indexes: new Map(ordered.map((colour) => [colour, nearest(colour)])) }
}

/** An opaque picture of few colours as a PNG with a palette, a third of the size of one without. */
export function encodePalettePng(rgba: Uint8Array, width: number, height: number): Buffer {
  const pixels = new Uint32Array(rgba.slice().buffer)
  const { palette, indexes } = choosePalette(pixels)
  const points = Buffer.alloc(pixels.length)
  for (const { colour, start, end } of findRuns(pixels)) {
    points.fill(indexes.get(colour) ?? 0, start, end)
  }
  const unfiltered = Buffer.alloc(1)
  const rows = Array.from({ length: height }, (_, y) => points.subarray(y * width, (y + 1) * width))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(palette.flatMap(channelsOf))),
    chunk(
      'IDAT',
      deflateSync(Buffer.concat(rows.flatMap((row) => [unfiltered, row])), { level: 9 }),
    ),
    chunk('IEND', new Uint8Array()),
  ])
}
