import type { Request } from 'express'
import { LANGUAGE_KEY } from '../../shared/constants.ts'
import { writeCookie } from '../../shared/cookie.ts'
import { chooseLanguage, findLanguage, type Language } from '../../shared/language.ts'
import type { Page } from '../../shared/pages.ts'

/** Most addresses have no query to read. */
const asked = (req: Request) => (req.url.includes('?') ? req.query.lang : undefined)
const stored = (req: Request) => req.cookies?.[LANGUAGE_KEY]

/** The language of a page: the one asked for, else the visitor's, else that of the address, else the default. */
export function pageLanguage(req: Request, page?: Page): Language {
  return chooseLanguage(asked(req), stored(req), page?.language)
}

/** The language of a sentence in an answer that is not a page. */
export function apiLanguage(req: Request): Language {
  return findLanguage(stored(req)) ?? chooseLanguage(req.acceptsLanguages('fr', 'en'))
}

/**
 * The cookie that keeps a choice of language, where there is one. It is renewed at each page:
 * some browsers forget cookies of scripts after a week.
 */
export function findLanguageCookie(req: Request, secure: boolean): string | undefined {
  const chosen = findLanguage(asked(req)) ?? findLanguage(stored(req))
  return chosen && writeCookie(LANGUAGE_KEY, chosen, secure)
}
