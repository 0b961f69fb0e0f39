import type { Request, RequestHandler } from 'express'
import { LANGUAGE_KEY } from '../shared/business.ts'
import { chooseLanguage, findLanguage, type Language } from '../shared/language.ts'
import type { Page } from '../shared/pages.ts'

const ONE_YEAR = 365 * 24 * 60 * 60 * 1000

const stored = (req: Request) => req.cookies?.[LANGUAGE_KEY]

/** The language of a page: the one asked for, else the visitor's, else that of the address, else the default. */
export function pageLanguage(req: Request, page?: Page): Language {
  return chooseLanguage(req.query.lang, stored(req), page?.language)
}

/** The language of a sentence in an answer that is not a page. */
export function apiLanguage(req: Request): Language {
  return findLanguage(stored(req)) ?? chooseLanguage(req.acceptsLanguages('fr', 'en'))
}

/** Keeps a choice of language, and renews it at each page: some browsers forget cookies of scripts after a week. */
export function rememberLanguage({ secure }: { secure: boolean }): RequestHandler {
  return (req, res, next) => {
    const chosen = findLanguage(req.query.lang) ?? findLanguage(stored(req))
    if (chosen) {
      res.cookie(LANGUAGE_KEY, chosen, { maxAge: ONE_YEAR, path: '/', sameSite: 'lax', secure })
    }
    next()
  }
}
