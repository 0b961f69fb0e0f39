import { listTexts } from '../../shared/content/company.ts'
import { findLanguage, LANGUAGES } from '../../shared/language.ts'
import { type Fault, findTypographyRules, type RuleName } from './check-text.ts'

const TEXT = [/\S/, 'empty'] as const
const EMAIL = [/^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i, 'email'] as const
const POSTAL_CODE = [/^[A-Z]\d[A-Z] \d[A-Z]\d$/, 'postalCode'] as const
const REGISTRATION = [/^\d{6,10}$/, 'registration'] as const

/** The facts of company.json (`*`: each language): patterns, rules that wrong ones break, hosts for the advice on links. */
const PATTERNS: Record<string, readonly [pattern: RegExp, rule: RuleName, host?: string]> = {
  'legalName.*': TEXT,
  'address.*.street': TEXT,
  'address.*.city': TEXT,
  'address.*.province': TEXT,
  'address.*.postalCode': POSTAL_CODE,
  phone: [/^\+1\d{10}$/, 'phone'],
  email: EMAIL,
  privacyEmail: EMAIL,
  'backups.*': TEXT,
  'registrations.ontario[0]': REGISTRATION,
  'registrations.ontario[1]': REGISTRATION,
  'registrations.canada': REGISTRATION,
  'links.site': [/^https:\/\/[^\s/]+\.[a-z]{2,}(?:\/\S*)?$/i, 'link', 'example.ca'],
  'links.x': [/^https:\/\/x\.com(?:\/\S*)?$/, 'link', 'x.com'],
  'links.instagram': [/^https:\/\/www\.instagram\.com(?:\/\S*)?$/, 'link', 'www.instagram.com'],
  'links.discord': [/^https:\/\/discord\.(?:com|gg)(?:\/\S*)?$/, 'link', 'discord.com/invite'],
}

/** Of these, the firm may have none. */
const OPTIONAL = /^(?:links|registrations)\b/

const FACTS = Object.fromEntries(
  Object.entries(PATTERNS).flatMap(([key, fact]) =>
    LANGUAGES.map((each) => [key.replace('*', each), fact] as const),
  ),
)

const findDigits = (text: string) => text.match(/\d+/g)?.join()

/** Checks keys, facts and typography, and that street and postal code have the same digits in each language. */
export function checkCompany(company: unknown): Fault[] {
  const texts = new Map(listTexts(company))
  const unknown = [...texts.keys()].filter((key) => !(key in FACTS))
  const wrong = Object.entries(FACTS).flatMap(([key, [pattern, rule, host = '']]): Fault[] => {
    const value = texts.get(key)
    // The firm may have only one number.
    if (value === undefined) return key.endsWith('[1]') ? [] : [{ key, rule: 'missing' }]
    const isAbsent = value === '' && OPTIONAL.test(key)
    return isAbsent || pattern.test(value) ? [] : [{ key, rule, words: { host }, value }]
  })
  const different = [...texts].flatMap(([key, own]): Fault[] => {
    const [, part] = /^address\.\w+\.(street|postalCode)$/.exec(key) ?? []
    const fr = texts.get(`address.fr.${part}`) ?? own
    return findDigits(fr) === findDigits(own) ? [] : [{ key, rule: 'numbers', words: { fr, own } }]
  })
  const typography = [...texts].flatMap(([key, value]) => {
    const language = key.split('.').map(findLanguage).find(Boolean)
    const rules = language ? findTypographyRules(value, language) : []
    return rules.map((rule) => ({ key, rule, value }))
  })
  return [
    ...unknown.map((key): Fault => ({ key, rule: 'unknown' })),
    ...wrong,
    ...different,
    ...typography,
  ]
}
