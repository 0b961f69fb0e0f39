import type { Company } from './content/company.ts'
import type { Plural } from './content/index.ts'
import type { Language } from './language.ts'

export type Values = Record<string, string | number | undefined>

/** Replaces each `{name}` by its value; throws if there is none. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`No value for {${name}} in: ${text}`)
    return String(value)
  })
}

/** Does not use Intl.PluralRules, because its first use takes 25 ms, or 100 ms on a phone. */
export function fillPlural(texts: Plural, count: number, language: Language): string {
  const isSingular = language === 'fr' ? count < 2 : count === 1
  const number = String(count).replace(/\B(?=(\d{3})+$)/g, language === 'fr' ? '\u00a0' : ',')
  return fill(isSingular ? texts.one : texts.other, { count: number })
}

/** `+16135550199` becomes `613-555-0199` in English, `613 555-0199` in French. Other formats are not changed. */
export function formatPhone(phone: string, language: Language): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone) ?? []
  if (!area) return phone
  return language === 'fr' ? `${area}\u00a0${exchange}-${line}` : `${area}-${exchange}-${line}`
}

export function formatCity(company: Company, language: Language): string {
  const { city, province, postalCode } = company.address[language]
  return `${city}${language === 'fr' ? ` (${province})` : `, ${province}`} ${postalCode}`
}

/** The firm's data for words in braces, such as `{phone}`. */
export function getCompanyValues(company: Company, language: Language) {
  return {
    name: company.legalName[language],
    address: `${company.address[language].street}, ${formatCity(company, language)}`,
    phone: formatPhone(company.phone, language),
    email: company.email,
    privacyEmail: company.privacyEmail,
    logsAndBackups: company.logsAndBackups[language],
  }
}

const ONE_YEAR_S = 365 * 24 * 60 * 60

/** Returns a value for the Set-Cookie header or for document.cookie. */
export function writeCookie(name: string, value: string, secure: boolean): string {
  return `${name}=${value}; Max-Age=${ONE_YEAR_S}; Path=/; SameSite=Lax${secure ? '; Secure' : ''}`
}
