export const LANGUAGES = ['fr', 'en'] as const
export type Language = (typeof LANGUAGES)[number]
export const DEFAULT_LANGUAGE: Language = 'fr'

/** The key of the visitor's choice, in local storage and as a cookie. */
export const LANGUAGE_KEY = 'rg-language'

/** BCP 47 tags, as in `<html lang>`. */
export const LOCALES: Record<Language, string> = { fr: 'fr-CA', en: 'en-CA' }

export function findLanguage(value: unknown): Language | undefined {
  return LANGUAGES.find((language) => language === value)
}

const OTHERS: Record<Language, Language> = { fr: 'en', en: 'fr' }

/** The language that the language button offers. */
export const otherLanguage = (language: Language): Language => OTHERS[language]
