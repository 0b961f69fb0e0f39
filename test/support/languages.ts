import { CONTENT } from '../../shared/content/index.ts'
import { listTexts } from '../../shared/content/list-texts.ts'
import { type Language, otherLanguage } from '../../shared/language.ts'

/** Shorter texts are not compared, because they may be part of a word of the other language. */
const MIN_LETTERS = 12

function listPieces(language: Language): Set<string> {
  // Split each text at its `{placeholders}`, because the site replaces them.
  const pieces = listTexts(CONTENT[language]).flatMap(([, text]) => text.split(/\{\w+\}/))
  const isLong = (piece: string) => piece.replace(/\P{L}/gu, '').length >= MIN_LETTERS
  return new Set(pieces.map((piece) => piece.trim()).filter(isLong))
}

const pieces = { fr: listPieces('fr'), en: listPieces('en') }

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
/** Decodes entities and removes the comments with which React splits a text. */
export const getWords = (html: string) =>
  html
    .replaceAll('<!-- -->', '')
    .replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '')

/** Finds texts of the other language in a page that should be in `language`. Buttons marked with that language may have them. */
export function findForeign(html: string, language: Language): string[] {
  const other = otherLanguage(language)
  const marked = new RegExp(`<button[^>]* lang="${other}".*?</button>`, 'gs')
  const text = html.replace(marked, '').replace(/"@type":"\w+"/g, '')
  // The structured data name the firm in both languages.
  const own = [...pieces[language], CONTENT[other].brand.name]
  return [...pieces[other]].filter(
    (piece) => text.includes(piece) && !own.some((mine) => mine.includes(piece)),
  )
}
