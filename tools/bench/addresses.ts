import { LANGUAGES, type Language } from '../../shared/language.ts'
import { type Page, pages } from '../../shared/pages.ts'
import type { Get } from './load.ts'

export interface Address {
  page: Page
  language: Language
  path: string
  /** Path and language, for the tables. */
  name: string
}

const inEachLanguage = (page: Page): Address[] =>
  LANGUAGES.map((language) => {
    const path = page.language === language ? `${page.path}` : `${page.path}?lang=${language}`
    return { page, language, path, name: `${page.path} (${language})` }
  })

export const CONTENT = pages.filter(({ indexed }) => indexed).flatMap(inEachLanguage)

export const NOT_FOUND = pages.filter(({ id }) => id === 'test-404').flatMap(inEachLanguage)

/** The request of a visitor who has chosen a language before. */
export function toGet({ page, language }: Address, headers: Record<string, string> = {}): Get {
  return { path: `${page.path}`, headers: { Cookie: `rg-language=${language}`, ...headers } }
}
