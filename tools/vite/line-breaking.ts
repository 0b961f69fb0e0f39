export type Measure = (text: string, size: number) => number

interface Room {
  width: number
  lines: number
}

/** The largest of the sizes at which a text fits, and its lines; the smallest where none does. */
export function fitLines(
  text: string,
  sizes: readonly [number, ...number[]],
  room: Room,
  measure: Measure,
): { size: number; lines: string[] } {
  const attempts = sizes.map((size) => {
    const widthOf = (line: string) => measure(line, size)
    const lines = balance(text, room.width, widthOf)
    const fits = lines.length <= room.lines && lines.every((line) => widthOf(line) <= room.width)
    return { size, lines, fits }
  })
  return attempts.find(({ fits }) => fits) ?? (attempts.at(-1) as (typeof attempts)[number])
}

/** The lines of the narrowest column that needs no more of them: no word stands alone at the end. */
function balance(text: string, width: number, widthOf: (line: string) => number): string[] {
  const lines = breakLines(text, width, widthOf)
  const narrower = breakLines(text, Math.max(...lines.map(widthOf)) - 1, widthOf)
  const wide = narrower.some((line) => widthOf(line) > width)
  if (lines.length === 1 || wide || narrower.length > lines.length) return lines
  return balance(text, Math.max(...lines.map(widthOf)) - 1, widthOf)
}

/** Breaks at spaces, not at no-break ones. */
function breakLines(text: string, width: number, widthOf: (line: string) => number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
