import type { Request, RequestHandler, Response } from 'express'
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
    }
  }
}

export const chooseLanguage: RequestHandler = (req, res, next) => {
  res.locals.chosenLanguage =
    findLanguage(req.query.lang) ?? findLanguage(req.cookies[LANGUAGE_KEY])
  next()
}

/** Language of problems and of a message. A program that chooses none may prefer one in Accept-Language. */
export function getMessageLanguage(req: Request, res: Response): Language {
  const preferred = () => findLanguage(req.acceptsLanguages([...LANGUAGES]))
  return res.locals.chosenLanguage ?? preferred() ?? DEFAULT_LANGUAGE
}
