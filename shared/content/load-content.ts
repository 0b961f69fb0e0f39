import type { Language } from '../language.ts'
import type { Content } from './content.ts'

/** Dynamic imports, so that the browser has a file for each language. */
const files: Record<Language, () => Promise<Content>> = {
  fr: () => import('./fr.ts').then(({ fr }) => fr),
  en: () => import('./en.ts').then(({ en }) => en),
}

/** Loads all texts of a language. After a failure, a later call tries again, unless the browser cached the failure. */
export async function loadContent(language: Language): Promise<Content> {
  const content: Content | undefined = await files[language]()
  // A filter in the network, or a full disk, may have made the file empty.
  if (!content) throw new Error(`the file of the texts in ${language} is empty`)
  return content
}
