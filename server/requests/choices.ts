import type { Request, Response } from 'express'
import { CONSENT_CHOICES, CONSENT_KEY } from '../../shared/consent.ts'
import { writeCookie } from '../../shared/format.ts'
import { LANGUAGE_KEY } from '../../shared/language.ts'

/** Safari keeps a cookie that a script has set for a week only, so each page renews the visitor's choices, once it is opened. */
export function renewChoices(req: Request, res: Response, secure: boolean): void {
  if (req.get('Sec-Purpose')?.startsWith('prefetch')) return
  const { chosenLanguage } = res.locals
  const consent = CONSENT_CHOICES.find((choice) => choice === req.cookies[CONSENT_KEY])
  if (chosenLanguage) res.append('Set-Cookie', writeCookie(LANGUAGE_KEY, chosenLanguage, secure))
  if (consent) res.append('Set-Cookie', writeCookie(CONSENT_KEY, consent, secure))
}
