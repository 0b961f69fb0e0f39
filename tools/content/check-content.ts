/** Checks shared/content for the person who edits it: `node tools/content/check-content.ts [--lang fr|en]`. */
import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type * as z from 'zod'
import { findPlaceholders } from '../../shared/content/company.ts'
import { type Company, companySchema, contentSchema } from '../../shared/content/schema.ts'
import { LANGUAGES, type Language } from '../../shared/language.ts'
import { type RuleName, SENTENCES } from './sentences.ts'

/** Sentences that must keep their wording and straight apostrophes, so the check of the typography skips them. */
const FIXED = ["Une erreur s'est produite lors de l'envoi du message. Veuillez réessayer."]

type Rules = Partial<Record<RuleName, RegExp>>
const TYPOGRAPHY: Rules = {
  apostrophe: /'/,
  quotes: /"/,
  // The characters that all fonts of the site have.
  fonts: /[^ -~\u00a0-ÿŒœ‘’“”–—…•€™]/,
  markup: /<[a-z/!]|&(?:#\d+|[a-z]{2,});/i,
  spaces: /^\s|\s$| {2}/,
}
const FRENCH_TYPOGRAPHY: Rules = {
  ...TYPOGRAPHY,
  colon: /[^\u00a0]:(?=\s|$)/,
  percent: /[^\u00a0][%$](?=\W|$)/,
  units: /[\d}] ?(?:h|min)(?!\p{L})/u,
  guillemets: /«(?!\u00a0)|(?<!\u00a0)»/,
  punctuation: /\s[;!?]/,
  thousands: /\d \d{3}\b/,
}

interface Fault {
  key: string
  rule: RuleName
  /** Arguments for the rule's sentence in sentences.ts. */
  words?: string[]
  /** The output quotes this value after the sentence. */
  value?: string
}

type Path = readonly PropertyKey[]

/** Writes a path such as `items[0].title`. */
function writeKey(path: Path): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
  return steps.join('').replace(/^\./, '')
}

/** Lists the texts of a content object as [key, text]. */
export function listTexts(value: unknown, path: Path = []): [string, string][] {
  if (typeof value === 'string') return [[writeKey(path), value]]
  return Object.entries(value ?? {}).flatMap(([key, inner]) =>
    listTexts(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

function toFaults(issue: z.core.$ZodIssue, root: unknown): Fault[] {
  const key = writeKey(issue.path)
  const found = issue.path.reduce<unknown>((value, step) => Object(value)[step], root)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => ({ key: writeKey([...issue.path, name]), rule: 'unknown' }))
  }
  if (found === undefined) return [{ key, rule: 'missing' }]
  if (issue.code === 'invalid_union') return [{ key, rule: 'shape' }]
  if (issue.code === 'invalid_type') {
    const kinds = ['string', 'array'] as const
    return [{ key, rule: kinds.find((kind) => kind === issue.expected) ?? 'object' }]
  }
  const [rule, ...words] = issue.message.split('|')
  const value = typeof found === 'string' ? found : undefined
  return [{ key, rule: rule as RuleName, words, value }]
}

const listNames = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted().join(' ')

/** Compares the French and the English texts of a content file; the schema must have accepted both. */
function compare(fr: unknown, en: unknown, path: Path = []): Fault[] {
  const key = writeKey(path)
  if (typeof fr === 'string' && typeof en === 'string') {
    const words = [listNames(fr), listNames(en)]
    return words[0] === words[1] ? [] : [{ key, rule: 'names', words }]
  }
  if (Array.isArray(fr) && Array.isArray(en) && fr.length !== en.length) {
    return [{ key, rule: 'lengths', words: [String(fr.length), String(en.length)] }]
  }
  const [left, right] = [Object(fr), Object(en)]
  const names = Object.keys(left)
  if (names.toSorted().join() !== Object.keys(right).toSorted().join())
    return [{ key, rule: 'shape' }]
  return names.flatMap((name) =>
    compare(left[name], right[name], [...path, Array.isArray(fr) ? Number(name) : name]),
  )
}

/** A text, a key (then the group is its colon) or a brace of JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"(?=\s*(:)?)|[{}]/g

/** Finds a key that its object has twice: JSON.parse would keep only the last text. */
function findRepeatedKey(json: string): Fault | undefined {
  const objects: Set<string>[] = []
  for (const { 0: token, 1: colon, index } of json.matchAll(TOKEN)) {
    const keys = objects.at(-1)
    if (token === '{') objects.push(new Set())
    else if (token === '}') objects.pop()
    else if (colon && keys?.has(token)) {
      const line = json.slice(0, index).split('\n').length
      return { key: '', rule: 'repeated', words: [String(line), token] }
    } else if (colon) keys?.add(token)
  }
  return undefined
}

/** Returns the JSON value of a file, or the fault of the file as a whole. */
function parse(bytes: Buffer): [json: unknown, fault?: Fault] {
  const text = bytes.toString()
  if (!isUtf8(bytes) || text.startsWith('\uFEFF')) return [undefined, { key: '', rule: 'encoding' }]
  try {
    return [JSON.parse(text), findRepeatedKey(text)]
  } catch (error) {
    return [undefined, { key: '', rule: 'unreadable', words: [(error as Error).message] }]
  }
}

/** Returns the names of the typographic rules that a text breaks. */
export function findTypographyRules(text: string, language: Language): RuleName[] {
  if (FIXED.includes(text)) return []
  const rules = Object.entries(language === 'fr' ? FRENCH_TYPOGRAPHY : TYPOGRAPHY)
  return rules.filter(([, pattern]) => pattern.test(text)).map(([rule]) => rule as RuleName)
}

/** Street and postal code must have the same digits in both languages. */
function compareAddresses({ address: { fr, en } }: Company): Fault[] {
  return (['street', 'postalCode'] as const)
    .filter((part) => fr[part].match(/\d+/g)?.join() !== en[part].match(/\d+/g)?.join())
    .map((part) => ({ key: `address.en.${part}`, rule: 'numbers', words: [fr[part], en[part]] }))
}

/** Checks the content; returns the lines to print. `folder` is shared/content, `reader` the language of the lines. */
export function checkContent(folder: string, reader: Language) {
  const sentences = SENTENCES[reader]
  const faults: string[] = []
  const report = (file: string, { key, rule, words = [], value }: Fault) => {
    const sentence = sentences.rules[rule]
    const advice = typeof sentence === 'string' ? sentence : sentence(...words)
    faults.push(sentences.fault(`shared/content/${file}`, key, advice, value))
  }
  /** Reports the file's faults; returns undefined if there are any. */
  const read = <Schema extends z.ZodType>(file: string, schema: Schema) => {
    const [json, fault] = parse(readFileSync(join(folder, file)))
    if (fault) {
      report(file, fault)
      return undefined
    }
    const { data, error } = schema.safeParse(json)
    for (const issue of error?.issues ?? []) {
      for (const fault of toFaults(issue, json)) report(file, fault)
    }
    return data
  }
  const checkTypography = (file: string, texts: [string, string][], language: Language) => {
    for (const [key, value] of texts) {
      for (const rule of findTypographyRules(value, language)) report(file, { key, rule, value })
    }
  }
  for (const [name, schema] of Object.entries(contentSchema.shape)) {
    const groups = LANGUAGES.map((language) => {
      const file = `${language}/${name}.json`
      const group = read(file, schema)
      checkTypography(file, listTexts(group), language)
      return group
    })
    const [fr, en] = groups
    if (fr && en) for (const fault of compare(fr, en)) report(`en/${name}.json`, fault)
  }
  for (const language of LANGUAGES) {
    for (const file of readdirSync(join(folder, language))) {
      const isKnown = file.replace(/\.json$/, '') in contentSchema.shape
      if (!isKnown) report(`${language}/${file}`, { key: '', rule: 'unknownFile' })
    }
  }
  const company = read('company.json', companySchema)
  for (const fault of company ? compareAddresses(company) : []) report('company.json', fault)
  for (const language of LANGUAGES) {
    const texts = listTexts(company).filter(([key]) => key.includes(`.${language}`))
    checkTypography('company.json', texts, language)
  }
  const warnings = (company ? findPlaceholders(company) : []).map((key) =>
    sentences.warning('shared/content/company.json', key),
  )
  return { faults, warnings, summary: sentences.summary(faults.length) }
}

/** The language of the option `--lang` or of the environment, else English. */
function chooseReader(): Language {
  const { lang } = parseArgs({ options: { lang: { type: 'string' } } }).values
  const { LC_ALL, LC_MESSAGES, LANG } = process.env
  return (lang || LC_ALL || LC_MESSAGES || LANG || '').startsWith('fr') ? 'fr' : 'en'
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../../shared/content')
  const { faults, warnings, summary } = checkContent(root, chooseReader())
  for (const warning of warnings) console.log(warning)
  for (const fault of faults) console.error(fault)
  console.log(summary)
  process.exitCode = faults.length > 0 ? 1 : 0
}
