import { CONTENT } from '../../shared/content/index.ts'
import { type Language, otherLanguage } from '../../shared/language.ts'
import { listTexts } from '../../tools/content/check-content.ts'

/** Shorter texts may be part of a word of the other language. */
const MIN_LETTERS = 12
const LETTER = /\p{L}/gu

/** The parts of a text between its `{placeholders}`. */
const splitText = (text: string) => text.split(/\{\w+\}/).map((piece) => piece.trim())

function listPieces(language: Language): Set<string> {
  const pieces = listTexts(CONTENT[language]).flatMap(([, text]) => splitText(text))
  return new Set(pieces.filter((piece) => (piece.match(LETTER) ?? []).length >= MIN_LETTERS))
}

const pieces = { fr: listPieces('fr'), en: listPieces('en') }

/** The texts of the other language that occur in a text of this one. */
export function findForeign(text: string, language: Language): string[] {
  const other = otherLanguage(language)
  const own = [...pieces[language]]
  return [...pieces[other]].filter(
    (piece) => text.includes(piece) && !own.some((mine) => mine.includes(piece)),
  )
}
