import { CONSENT_CHOICES, CONSENT_KEY, LANGUAGE_KEY } from '../shared/business.ts'
import { findLanguage, type Language } from '../shared/language.ts'

const ONE_YEAR = 365 * 24 * 60 * 60

export type Consent = (typeof CONSENT_CHOICES)[number]

function readCookie(name: string): string | undefined {
  const start = `${name}=`
  const pairs = document.cookie.split('; ')
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
}

/** The stored values of a key, the one in localStorage first; storage may be forbidden. */
function read(key: string): (string | null | undefined)[] {
  try {
    return [localStorage.getItem(key), readCookie(key)]
  } catch {
    return [readCookie(key)]
  }
}

function write(key: string, value: string): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${key}=${value}; Path=/; SameSite=Lax; Max-Age=${ONE_YEAR}${secure}`
  try {
    localStorage.setItem(key, value)
  } catch {
    // The cookie alone remembers it.
  }
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
