import type { Request } from 'express'
import {
  DEFAULT_LANGUAGE,
  findLanguage,
  LANGUAGE_KEY,
  LANGUAGES,
  type Language,
} from '../../shared/language.ts'

const findStored = (req: Request) => findLanguage(req.cookies?.[LANGUAGE_KEY])

/** The language that the visitor asks for in the URL, or chose earlier. */
export function findChosenLanguage(req: Request): Language | undefined {
  const asked = req.url.includes('?') ? req.query.lang : undefined
  return findLanguage(asked) ?? findStored(req)
}

/** Language of the app's problems, and of a message that is sent as JSON. */
export const getApiLanguage = (req: Request): Language =>
  findStored(req) ?? findLanguage(req.acceptsLanguages([...LANGUAGES])) ?? DEFAULT_LANGUAGE
