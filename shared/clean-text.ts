const CONTROLS = /(?![\t\n])\p{Cc}/gu
const CONTROLS_IN_A_LINE = /(?![\t\n\v\f\r\u0085])\p{Cc}/gu
const BLANK = /[\s\u0085]/

/** The length that people count: Unicode code points. */
export function countCharacters(text: string): number {
  return [...text].length
}

/**
 * Composes a text (NFC). Sorting the marks of one letter takes quadratic time: beyond 30, more than any text has
 * (UAX 15, Stream-Safe Text Format), they are composed in pieces.
 */
function compose(text: string): string {
  return text.replace(/\P{M}*\p{M}{0,30}/gu, (piece) => piece.normalize('NFC'))
}

/** Removes white space and U+0085 at both ends; a regular expression for the end takes quadratic time. */
function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && BLANK.test(text.charAt(start))) start += 1
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** Keeps line breaks, which are a fault of a line. */
export function cleanLine(value: string): string {
  return trim(compose(value.replace(CONTROLS_IN_A_LINE, '')))
}

export function cleanText(value: string): string {
  return compose(value.replace(/\r\n/g, '\n').replace(CONTROLS, ''))
}
