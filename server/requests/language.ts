import type { RequestHandler } from 'express'
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

export const chooseLanguage: RequestHandler = (req, res, next) => {
  const chosen = findLanguage(req.query.lang) ?? findLanguage(req.cookies[LANGUAGE_KEY])
  res.locals.chosenLanguage = chosen
  const preferred = findLanguage(req.acceptsLanguages([...LANGUAGES]))
  res.locals.apiLanguage = chosen ?? preferred ?? DEFAULT_LANGUAGE
  next()
}
