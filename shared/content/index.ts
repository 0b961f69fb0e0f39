import type { Language } from '../language.ts'
import type { Content } from './content.ts'
import { en } from './en.ts'
import { fr } from './fr.ts'

export type { Block, Brand, Contact, Content } from './content.ts'
export { en, fr }

/** All texts, for the server, tools and tests. The browser loads the file of one language. */
export const CONTENT: Record<Language, Content> = { fr, en }
