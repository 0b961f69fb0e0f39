import { listTexts } from '../../shared/content/company.ts'
import { findLanguage } from '../../shared/language.ts'
import { type Fault, findTypographyRules, type RuleName } from './check-text.ts'

const TEXT = [/\S/, 'empty'] as const
const EMAIL = [/^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i, 'email'] as const
const POSTAL_CODE = [/^[A-Z]\d[A-Z] \d[A-Z]\d$/, 'postalCode'] as const
const REGISTRATION = [/^\d{6,10}$/, 'registration'] as const

/** The facts of company.json: their patterns, the rules that wrong ones break, and hosts for the advice on links. */
const FACTS: Record<string, readonly [pattern: RegExp, rule: RuleName, host?: string]> = {
  'legalName.fr': TEXT,
  'legalName.en': TEXT,
  'address.fr.street': TEXT,
  'address.fr.city': TEXT,
  'address.fr.province': TEXT,
  'address.fr.postalCode': POSTAL_CODE,
  'address.en.street': TEXT,
  'address.en.city': TEXT,
  'address.en.province': TEXT,
  'address.en.postalCode': POSTAL_CODE,
  phone: [/^\+1\d{10}$/, 'phone'],
  email: EMAIL,
  privacyEmail: EMAIL,
  'logsAndBackups.fr': TEXT,
  'logsAndBackups.en': TEXT,
  'registrations.ontario[0]': REGISTRATION,
  'registrations.ontario[1]': REGISTRATION,
  'registrations.canada': REGISTRATION,
  'links.site': [/^https:\/\/[^\s/]+\.[a-z]{2,}(?:\/\S*)?$/i, 'link', 'example.ca'],
  'links.x': [/^https:\/\/x\.com(?:\/\S*)?$/, 'link', 'x.com'],
  'links.instagram': [/^https:\/\/www\.instagram\.com(?:\/\S*)?$/, 'link', 'www.instagram.com'],
  'links.discord': [/^https:\/\/discord\.com(?:\/\S*)?$/, 'link', 'discord.com/invite'],
}

const findDigits = (text: string) => text.match(/\d+/g)?.join()

/** Checks keys, facts and typography, and that street and postal code have the same digits in both languages. */
export function checkCompany(company: unknown): Fault[] {
  const texts = new Map(listTexts(company))
  const unknown = [...texts.keys()].filter((key) => !(key in FACTS))
  const wrong = Object.entries(FACTS).flatMap(([key, [pattern, rule, host = '']]): Fault[] => {
    const value = texts.get(key)
    if (value === undefined) return [{ key, rule: 'missing' }]
    return pattern.test(value) ? [] : [{ key, rule, words: { host }, value }]
  })
  const different = ['street', 'postalCode'].flatMap((part): Fault[] => {
    const [fr = '', en = ''] = ['fr', 'en'].map((each) => texts.get(`address.${each}.${part}`))
    const isSame = findDigits(fr) === findDigits(en)
    return isSame ? [] : [{ key: `address.en.${part}`, rule: 'numbers', words: { fr, en } }]
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
