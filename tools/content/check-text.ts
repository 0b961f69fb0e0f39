import type { Language } from '../../shared/language.ts'
import { SECTORS } from '../../shared/sectors.ts'
import type texts from './en.json'
import { PRESCRIBED } from './prescribed.ts'

export type RuleName = keyof typeof texts.rules

export interface Fault {
  key: string
  rule: RuleName
  /** Values for the rule's sentence; an empty one is written as `none`. */
  words?: Record<string, string>
  /** The output quotes this value after the sentence. */
  value?: string
}

/** The check of the typography skips these: one has straight apostrophes. */
const FIXED = Object.values(PRESCRIBED).flatMap((each) => Object.values(each))

type Rules = Partial<Record<RuleName, RegExp>>
const COMMON: Rules = {
  apostrophe: /'/,
  quotes: /"/,
  // Any other character than these, which all fonts of the site have.
  fonts: /[^ -~\u00a0-ÿŒœ‘’“”–—…•€™]/,
  markup: /<[a-z/!]|&(?:#\d+|[a-z]{2,});/i,
  spaces: /^\s|\s$| {2}/,
}
const TYPOGRAPHY: Record<Language, Rules> = {
  fr: {
    ...COMMON,
    colon: /[^\u00a0]:(?=\s|$)/,
    percent: /[^\u00a0][%$](?=\W|$)/,
    units: /[\d}] ?(?:h|min)(?!\p{L})/u,
    guillemets: /«(?!\u00a0)|(?<!\u00a0)»/,
    punctuation: /\s[;!?]/,
    thousands: /\d \d{3}\b/,
  },
  en: COMMON,
}

export function findTypographyRules(text: string, language: Language): RuleName[] {
  if (FIXED.includes(text)) return []
  const rules = Object.entries(TYPOGRAPHY[language])
  return rules.filter(([, pattern]) => pattern.test(text)).map(([rule]) => rule as RuleName)
}

const FACTS = '{name}? {address}? {phone}? {email}? {privacyEmail}? {backups}?'
const PERIODS = '{retention}? {quarantine}? {repetition}? {refusals}?'

/** The words that the site fills in (`?`: may be absent). The first pattern that matches file and key decides. */
const PLACEHOLDERS: [key: RegExp, words: string][] = [
  [/^contact\.form\.notice$/, '{limit}'],
  [/^contact\.form\.errorLine$/, '{field} {sentence}'],
  [/^contact\.form\.messageHint$/, '{min} {max}'],
  [/^contact\.form\.window\.minutes$/, '{minutes}'],
  [/^contact\.form\.window\.hours$/, '{hours}'],
  [/^contact\.form\.(?:limit|errorSummary)\./, '{count}'],
  [/^contact\.sent\.reference$/, '{reference}'],
  [/^contact\.(?:sent\.keep|call)$/, '{phone}'],
  [/^contact\.faults\.too-long$/, '{max}'],
  [/^divisions\.explore$/, '{sector}'],
  [/^footer\.rights$/, '{name}'],
  [/^privacy\.periods\./, '{count}'],
  [/^privacy\.(?:intro$|summary\.points\[|sections\[\d+\]\.body\[)/, `${FACTS} ${PERIODS}`],
  [/^errors\.problems\.limit-reached$/, '{limit} {phone} {email} {minutes}?'],
  [/^errors\.problems\.(?:too-many-refusals|unavailable)$/, '{phone} {email} {minutes}?'],
  [/^errors\.problems\./, `${FACTS} {limit}? {minutes}?`],
]

export const listWords = (text: string) => [...new Set(text.match(/\{\w+\}/g))]

/** The header of a small phone, or its screen above the cookie banner, has no room for longer texts. */
export const MAX_LENGTHS: Record<string, number> = {
  'brand.name': 22,
  'brand.trade': 30,
  'nav.menu': 10,
  'nav.home': 24,
  'nav.sectors': 24,
  'nav.services': 24,
  'nav.contact': 24,
  'hero.headline': 50,
  'hero.intro': 155,
  'contact.headline': 20,
  'contact.intro': 100,
  'contact.emergency': 115,
  'privacy.banner.text': 60,
  ...Object.fromEntries(
    SECTORS.flatMap((sector) => [
      [`divisions.items.${sector}.headline`, 50],
      [`divisions.items.${sector}.intro`, 155],
    ]),
  ),
}

type TextFault = Omit<Fault, 'key'>

function findBraceFaults(text: string, place: string): TextFault[] {
  const known = PLACEHOLDERS.find(([key]) => key.test(place))?.[1] ?? ''
  const allowed = listWords(known)
  const needed = known.match(/\{\w+\}(?!\?)/g) ?? []
  const found = listWords(text)
  const missing = needed.filter((word) => !found.includes(word))
  const unknown = found.filter((word) => !allowed.includes(word))
  const faults: TextFault[] = []
  if (missing.length > 0)
    faults.push({ rule: 'missingWords', words: { missing: missing.join(' ') } })
  if (unknown.length > 0) {
    const words = { unknown: unknown.join(' '), allowed: allowed.join(' ') }
    faults.push({ rule: 'unknownWords', words })
  }
  if (/[{}]/.test(text.replace(/\{\w+\}/g, ''))) faults.push({ rule: 'loneBrace' })
  return faults
}

/** `place` is the name of the file and the key, such as `hero.meta.title`. */
export function findTextFaults(text: string, place: string, language: Language): TextFault[] {
  if (text.trim() === '') return [{ rule: 'empty' }]
  const faults = findBraceFaults(text, place)
  const isDescription = place.endsWith('meta.description')
  if (isDescription && (text.length < 70 || text.length > 160)) faults.push({ rule: 'description' })
  const max = MAX_LENGTHS[place] ?? text.length
  if (text.length > max)
    faults.push({ rule: 'length', words: { max: `${max}`, length: `${text.length}` } })
  const rules = findTypographyRules(text, language)
  return [...faults, ...rules.map((rule) => ({ rule }))]
}
