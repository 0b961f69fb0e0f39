import type { Content } from '../shared/content/content.ts'
import type { Language } from '../shared/language.ts'

const loaders: Record<Language, () => Promise<Content>> = {
  fr: () => import('../shared/content/fr.ts').then(({ fr }) => fr),
  en: () => import('../shared/content/en.ts').then(({ en }) => en),
}

export function loadTexts(language: Language): Promise<Content> {
  return loaders[language]()
}
