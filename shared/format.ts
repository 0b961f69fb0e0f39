import type { Company, CompanyName, Plural } from './content/schema.ts'
import { type Language, LOCALES } from './language.ts'

export type Values = Record<string, string | number>

/** Replaces each `{name}` by its value. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`No value for {${name}} in: ${text}`)
    return String(value)
  })
}

function formatNumber(number: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language]).format(number)
}

export function fillPlural(texts: Plural, count: number, language: Language): string {
  const category = new Intl.PluralRules(LOCALES[language]).select(count)
  return fill(category === 'one' ? texts.one : texts.other, {
    count: formatNumber(count, language),
  })
}

/** `+16135550199` becomes `613-555-0199`; other forms stay. */
export function formatPhone(phone: string, language: Language): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone) ?? []
  if (!area) return phone
  return language === 'fr' ? `${area}\u00a0${exchange}-${line}` : `${area}-${exchange}-${line}`
}

/** The second line of an address. */
export function formatCity(company: Company, language: Language): string {
  const { city, province, postalCode } = company.address[language]
  return `${city}${language === 'fr' ? ` (${province})` : `, ${province}`} ${postalCode}`
}

export function formatAddress(company: Company, language: Language): string {
  return `${company.address[language].street}, ${formatCity(company, language)}`
}

/** The values that copy about the firm may name. */
export function getCompanyValues(
  company: Company,
  language: Language,
): Record<CompanyName, string> {
  return {
    name: company.legalName[language],
    address: formatAddress(company, language),
    phone: formatPhone(company.phone, language),
    email: company.email,
    privacyEmail: company.privacyEmail,
  }
}
