import type { Request, RequestHandler } from 'express'
import {
  DEFAULT_LANGUAGE,
  findLanguage,
  LANGUAGE_KEY,
  LANGUAGES,
  type Language,
} from '../../shared/language.ts'

declare global {
  namespace Express {
    interface Locals {
      /** The language that the visitor asks for in the URL, or chose earlier; set by chooseLanguage. */
      chosenLanguage?: Language
      /** Language of problems, and of a message that is sent as JSON; set by chooseLanguage. */
      apiLanguage: Language
    }
  }
}

/** Reads the raw header: cookie-parser keeps the first of several cookies with one name, even an invalid one. */
function findStored({ headers }: Request): Language | undefined {
  const values = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  return values
    .filter(([name]) => name === LANGUAGE_KEY)
    .map(([, value]) => findLanguage(value))
    .find(Boolean)
}

export const chooseLanguage: RequestHandler = (req, res, next) => {
  const stored = findStored(req)
  res.locals.chosenLanguage = findLanguage(req.query.lang) ?? stored
  const preferred = findLanguage(req.acceptsLanguages([...LANGUAGES]))
  res.locals.apiLanguage = stored ?? preferred ?? DEFAULT_LANGUAGE
  next()
}
