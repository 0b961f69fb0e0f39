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

/** RFC 6265: a value may be in quotation marks. */
const COOKIE = new RegExp(`(?:^|;)\\s*${LANGUAGE_KEY}\\s*=\\s*"?([^";\\s]*)`, 'g')

/** Reads the raw header: cookie-parser keeps the first of several cookies with one name, even an invalid one. */
function findStored({ headers }: Request): Language | undefined {
  const cookies = [...(headers.cookie ?? '').matchAll(COOKIE)]
  return cookies.map(([, value]) => findLanguage(value)).find(Boolean)
}

export const chooseLanguage: RequestHandler = (req, res, next) => {
  const stored = findStored(req)
  const chosen = findLanguage(req.query.lang) ?? stored
  res.locals.chosenLanguage = chosen
  const preferred = findLanguage(req.acceptsLanguages([...LANGUAGES]))
  res.locals.apiLanguage = chosen ?? preferred ?? DEFAULT_LANGUAGE
  next()
}
