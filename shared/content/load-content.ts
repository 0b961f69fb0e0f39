import type { Language } from '../language.ts'
import type { Content } from './content.ts'

/** Dynamic imports, so that the browser has a file for each language. */
const files: Record<Language, () => Promise<Content>> = {
  fr: () => import('./fr.ts').then(({ fr }) => fr),
  en: () => import('./en.ts').then(({ en }) => en),
}

/** Loads all texts of a language. After a failure, a later call tries again, unless the browser cached the failure. */
export const loadContent = (language: Language): Promise<Content> => files[language]()
