import { CONSENT_CHOICES, CONSENT_KEY, LANGUAGE_KEY } from '../shared/constants.ts'
import { writeCookie } from '../shared/format.ts'
import { findLanguage, type Language } from '../shared/language.ts'

export type Consent = (typeof CONSENT_CHOICES)[number]

/** Returns undefined where storage or cookies are blocked, as in some frames. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

function readCookie(name: string): string | undefined {
  const start = `${name}=`
  const pairs = document.cookie.split('; ')
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
}

/** localStorage takes precedence over the cookie. */
function read(key: string): unknown[] {
  return [attempt(() => localStorage.getItem(key)), attempt(() => readCookie(key))]
}

function write(key: string, value: string): void {
  const secure = window.location.protocol === 'https:'
  attempt(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
    document.cookie = writeCookie(key, value, secure)
  })
  attempt(() => localStorage.setItem(key, value))
}

export function readLanguage(): Language | undefined {
  return read(LANGUAGE_KEY).map(findLanguage).find(Boolean)
}

export function writeLanguage(language: Language): void {
  write(LANGUAGE_KEY, language)
}

export function readConsent(): Consent | undefined {
  const find = (value: unknown) => CONSENT_CHOICES.find((choice) => choice === value)
  return read(CONSENT_KEY).map(find).find(Boolean)
}

export function writeConsent(choice: Consent): void {
  write(CONSENT_KEY, choice)
}
