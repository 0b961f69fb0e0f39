import { texts } from '../../shared/content/index.ts'
import { type Language, otherLanguage } from '../../shared/language.ts'
import { listTexts } from '../../tools/content/check-content.ts'

/** Shorter texts may be a part of a word of the other language. */
const TELLING_LENGTH = 12
const LETTER = /\p{L}/gu

/** Pieces of a text that stand on a page as they are: what lies between its `{names}`. */
const piecesOf = (text: string) => text.split(/\{\w+\}/).map((piece) => piece.trim())

function listPieces(language: Language): Set<string> {
  const pieces = listTexts(texts[language]).flatMap(([, text]) => piecesOf(text))
  return new Set(pieces.filter((piece) => (piece.match(LETTER) ?? []).length >= TELLING_LENGTH))
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
