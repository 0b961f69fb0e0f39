import { CONSENT_CHOICES, CONSENT_KEY } from '../shared/consent.ts'
import { writeCookie } from '../shared/format.ts'
import { LANGUAGE_KEY, LANGUAGES } from '../shared/language.ts'
import { attempt } from './attempt.ts'

function readCookie(name: string): string | undefined {
  const start = `${name}=`
  const pairs = document.cookie.split('; ')
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
}

/** Stores a choice of the visitor in localStorage and in a cookie. When read, localStorage takes precedence. */
function createStored<Choice extends string>(key: string, choices: readonly Choice[]) {
  return {
    read(): Choice | undefined {
      const values = [attempt(() => localStorage.getItem(key)), attempt(() => readCookie(key))]
      return values.map((value) => choices.find((choice) => choice === value)).find(Boolean)
    },
    write(choice: Choice): void {
      const secure = window.location.protocol === 'https:'
      attempt(() => {
        // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
        document.cookie = writeCookie(key, choice, secure)
      })
      attempt(() => {
        // In a full store, only the removal succeeds: the old choice must not outlive the new one.
        localStorage.removeItem(key)
        localStorage.setItem(key, choice)
      })
    },
  }
}

export const storedLanguage = createStored(LANGUAGE_KEY, LANGUAGES)
export const storedConsent = createStored(CONSENT_KEY, CONSENT_CHOICES)
