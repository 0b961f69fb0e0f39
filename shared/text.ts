import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH, REPEAT_HOURS } from './business.ts'
import type { Fault } from './contact.ts'
import type { Company, Contact, Content, Plural } from './content/content.ts'
import { type Language, LOCALES } from './language.ts'
import type { ContactLimit, RetentionPeriods } from './page-state.ts'

export type Values = Record<string, string | number>

/** Puts values in the place of `{name}`; a name without a value is a mistake in the texts. */
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

function describeWindow(minutes: number, texts: Contact['form']['window']): string {
  if (minutes === 1) return texts.minute
  if (minutes === 60) return texts.hour
  if (minutes === 24 * 60) return texts.day
  return minutes % 60 === 0
    ? fill(texts.hours, { hours: minutes / 60 })
    : fill(texts.minutes, { minutes })
}

/** "2 messages per hour", from the numbers in force. */
export function describeLimit(
  limit: ContactLimit,
  { contact: { form } }: { contact: Pick<Contact, 'form'> },
  language: Language,
): string {
  const count = fillPlural(form.limit, limit.count, language)
  return `${count} ${describeWindow(limit.windowMinutes, form.window)}`
}

/** `+16135550199` as the language writes it. */
export function formatPhone(phone: string, language: Language): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone) ?? []
  if (!area) return phone
  return language === 'fr' ? `${area}\u00a0${exchange}-${line}` : `${area}-${exchange}-${line}`
}

export function formatAddress(company: Company, language: Language): string {
  const { street, city, postalCode } = company.address[language]
  return `${street}, ${city} ${postalCode}`
}

/** The values that texts about the firm may name. */
export function companyValues(company: Company, language: Language): Values {
  return {
    name: company.legalName[language],
    address: formatAddress(company, language),
    phone: formatPhone(company.phone, language),
    email: company.email,
    privacyEmail: company.privacyEmail,
  }
}

/** The values that the privacy policy may name: the firm's facts, and how long things are kept. */
export function privacyValues(
  company: Company,
  { retentionDays, quarantineDays }: RetentionPeriods,
  { periods: { days, hours } }: Pick<Content['privacy'], 'periods'>,
  language: Language,
): Values {
  return {
    ...companyValues(company, language),
    retention: fillPlural(days, retentionDays, language),
    quarantine: fillPlural(days, quarantineDays, language),
    repetition: fillPlural(hours, REPEAT_HOURS, language),
  }
}

/** The sentence of a fault of the contact form. */
export function describeFault(
  { field, code }: Fault,
  { contact }: { contact: Pick<Contact, 'faults'> },
): string {
  const max = field === 'email' ? EMAIL_MAX_LENGTH : NAME_MAX_LENGTH
  return fill(contact.faults[code], { max })
}
