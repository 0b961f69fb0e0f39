import type { Content } from '../shared/content/index.ts'
import type { Language } from '../shared/language.ts'

/** Dynamic imports, so that each language is a file of its own. */
const files: Record<Language, () => Promise<Content>> = {
  fr: () => import('../shared/content/fr.ts').then(({ fr }) => fr),
  en: () => import('../shared/content/en.ts').then(({ en }) => en),
}

/** Loads all texts of a language. After a failure, a later call tries again, unless the browser cached the failure. */
export const loadTexts = (language: Language): Promise<Content> => files[language]()
