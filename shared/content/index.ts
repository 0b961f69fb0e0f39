import type { Language } from '../language.ts'
import type { Content } from './content.ts'
import { en } from './en.ts'
import { fr } from './fr.ts'

/** Both languages at once: for the server, the build and the tests. A browser loads the one that it shows. */
export const texts: Record<Language, Content> = { fr, en }
