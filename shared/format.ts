import type { Company } from './content/company.ts'
import type { Language } from './language.ts'

/** Makes a value for each key. */
export function mapKeys<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
) {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>
}

export interface Plural {
  one: string
  other: string
}

export type Values = Record<string, string | number | undefined>

/** Replaces each `{name}` by its value; throws if there is none. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`No value for {${name}} in: ${text}`)
    return String(value)
  })
}

/** Intl.PluralRules is not used, because its first use takes 25 ms, or 100 ms on a phone. */
const FORMATS = {
  fr: {
    isSingular: (count: number) => count < 2,
    thousands: '\u00a0',
    phone: '$1\u00a0$2-$3',
    city: '{city} ({province}) {postalCode}',
  },
  en: {
    isSingular: (count: number) => count === 1,
    thousands: ',',
    phone: '$1-$2-$3',
    city: '{city}, {province} {postalCode}',
  },
} satisfies Record<Language, object>

export function fillPlural(texts: Plural, count: number, language: Language): string {
  const { isSingular, thousands } = FORMATS[language]
  const number = String(count).replace(/\B(?=(\d{3})+$)/g, thousands)
  return fill(isSingular(count) ? texts.one : texts.other, { count: number })
}

/** `+16135550199` becomes `613-555-0199` in English, `613 555-0199` in French. Other formats are not changed. */
export function formatPhone(phone: string, language: Language): string {
  return phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, FORMATS[language].phone)
}

export function formatCity(company: Company, language: Language): string {
  const address = company.address[language]
  const postalCode = address.postalCode.replace(' ', '\u00a0')
  return fill(FORMATS[language].city, { ...address, postalCode })
}

/** The firm's data for words in braces, such as `{phone}`. */
export function getCompanyValues(company: Company, language: Language) {
  return {
    name: company.legalName[language],
    address: `${company.address[language].street}, ${formatCity(company, language)}`,
    phone: formatPhone(company.phone, language),
    email: company.email,
    privacyEmail: company.privacyEmail,
    backups: company.backups[language],
  }
}

const ONE_YEAR_S = 365 * 24 * 60 * 60

/** Returns a value for the Set-Cookie header or for document.cookie. */
export function writeCookie(name: string, value: string, secure: boolean): string {
  return `${name}=${value}; Max-Age=${ONE_YEAR_S}; Path=/; SameSite=Lax${secure ? '; Secure' : ''}`
}
