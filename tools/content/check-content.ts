/** Checks shared/content for the person who edits it: `node tools/content/check-content.ts [--lang fr|en]`. */
import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findPlaceholders, listMembers, listTexts } from '../../shared/content/company.ts'
import { fill, type Values } from '../../shared/format.ts'
import { findLanguage, LANGUAGES, type Language } from '../../shared/language.ts'
import { checkAgreement } from './check-agreement.ts'
import { checkCompany } from './check-company.ts'
import { type Fault, findTextFaults, listWords } from './check-text.ts'
import drawn from './drawn.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

const SENTENCES: Record<Language, typeof en> = { fr, en }

/** Returns the JSON value of a file, or the fault of the file as a whole. Biome finds a repeated key. */
function parse(bytes: Buffer): { json?: unknown; fault?: Fault } {
  const text = bytes.toString()
  if (!isUtf8(bytes) || text.startsWith('\uFEFF')) return { fault: { key: '', rule: 'encoding' } }
  try {
    return { json: JSON.parse(text) }
  } catch (error) {
    const words = { reason: Error.isError(error) ? error.message : '' }
    return { fault: { key: '', rule: 'unreadable', words } }
  }
}

/** The first value of an item, as JSON: for most lists, the pages use it as the item's key in React. */
const getFirst = (item: unknown) =>
  JSON.stringify(typeof item === 'string' ? item : Object.values(Object(item))[0])

/** Checks a value of one language; `file` is the file's name without its extension. */
function checkValue(value: unknown, file: string, language: Language, key = ''): Fault[] {
  if (typeof value === 'string') {
    const found = findTextFaults(value, `${file}.${key}`, language)
    return found.map((fault) => ({ key, value, ...fault }))
  }
  if (typeof value !== 'object' || value === null) return [{ key, rule: 'text' }]
  const faults: Fault[] = []
  if (Array.isArray(value)) {
    if (value.length === 0) faults.push({ key, rule: 'emptyList' })
    if (new Set(value.map(getFirst)).size < value.length) faults.push({ key, rule: 'equalItems' })
  } else if ('head' in value && 'rows' in value && Array.isArray(value.rows)) {
    const width = Object(value.head).length
    const isEven = value.rows.every((row) => row.length === width)
    if (!isEven) faults.push({ key: `${key}.rows`, rule: 'cells' })
  }
  const inner = listMembers(value, key)
  return [...faults, ...inner.flatMap(([each, member]) => checkValue(member, file, language, each))]
}

const getKind = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value)

/** Compares a file's texts in French with those in a `language`; returns each fault with the language to report it for. */
function compare(fr: unknown, own: unknown, language: Language, key = ''): [Language, Fault][] {
  if (typeof fr === 'string' && typeof own === 'string') {
    const [ours = '', theirs = ''] = [fr, own].map((text) => listWords(text).toSorted().join(' '))
    const words = { fr: ours, own: theirs }
    return ours === theirs ? [] : [[language, { key, rule: 'words', words }]]
  }
  if (getKind(fr) !== getKind(own)) return [[language, { key, rule: 'shape' }]]
  const [left, right] = [new Map(listMembers(fr, key)), new Map(listMembers(own, key))]
  if (Array.isArray(fr) && left.size !== right.size) {
    const words = { fr: `${left.size}`, own: `${right.size}` }
    return [[language, { key, rule: 'lengths', words }]]
  }
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((each): [Language, Fault][] => {
    if (!right.has(each)) return [['fr', { key: each, rule: 'unpaired' }]]
    if (!left.has(each)) return [[language, { key: each, rule: 'unpaired' }]]
    return compare(left.get(each), right.get(each), language, each)
  })
}

type Drawn = Partial<Record<Language, Record<string, string>>>

/**
 * Checks the content; returns the lines to print. `folder` is shared/content, `reader` the language of the lines, `drawn`
 * the texts on the pictures of shared links.
 */
export function checkContent(folder: string, reader: Language, drawn: Drawn = {}) {
  const sentences = SENTENCES[reader]
  const faults: string[] = []
  /** The place of each of the faults. */
  const places: { file: string; key: string }[] = []
  const write = (sentence: string, file: string, key: string, values: Values = {}) => {
    const place = key && fill(sentences.key, { key })
    return fill(sentence, { file: `shared/content/${file}`, key: place, ...values })
  }
  const report = (file: string, { key, rule, words = {}, value }: Fault) => {
    const given = Object.entries(words).map(([name, word]) => [name, word || sentences.none])
    const advice = fill(sentences.rules[rule], Object.fromEntries(given))
    const quoted = value === undefined ? '' : fill(sentences.value, { value })
    places.push({ file, key })
    faults.push(write(sentences.fault, file, key, { advice, value: quoted }))
  }
  /** Reads a file; reports one that is not UTF-8, has a byte order mark or is not JSON. */
  const read = (file: string): unknown => {
    const { json, fault } = parse(readFileSync(join(folder, file)))
    if (fault) report(file, fault)
    return fault ? undefined : json
  }
  const texts = LANGUAGES.map(() => new Map<string, string>())
  const names = LANGUAGES.map((each) => readdirSync(join(folder, each)))
  for (const name of new Set(names.flat())) {
    const owners = LANGUAGES.filter((_, index) => names[index]?.includes(name))
    if (owners.length < LANGUAGES.length) {
      for (const each of owners) report(`${each}/${name}`, { key: '', rule: 'unpairedFile' })
      continue
    }
    const file = name.replace('.json', '')
    const [fr, ...others] = LANGUAGES.map((language, index) => {
      const json = read(`${language}/${name}`)
      const found = json ? checkValue(json, file, language) : []
      for (const [key, text] of listTexts(json)) texts[index]?.set(`${file}.${key}`, text)
      for (const fault of found) report(`${language}/${name}`, fault)
      return { language, json }
    })
    for (const { language, json } of others) {
      const different = fr?.json && json ? compare(fr.json, json, language) : []
      for (const [each, fault] of different) report(`${each}/${name}`, fault)
    }
  }
  for (const [index, language] of LANGUAGES.entries()) {
    for (const fault of checkAgreement(texts[index] ?? new Map(), language)) {
      const [file, ...key] = fault.key.split('.')
      report(`${language}/${file}.json`, { ...fault, key: key.join('.') })
    }
  }
  const company = read('company.json')
  const wrong = company ? checkCompany(company) : []
  for (const fault of wrong) report('company.json', fault)
  const placeholders = findPlaceholders(company)
  const warnings = placeholders.map((key) => write(sentences.warning, 'company.json', key))
  for (const [index, language] of LANGUAGES.entries()) {
    for (const [place, value] of Object.entries(drawn[language] ?? {})) {
      const [file, key = ''] = place.split('.')
      if (texts[index]?.get(place) !== value)
        warnings.push(write(sentences.drawn, `${language}/${file}.json`, key, { value }))
    }
  }
  const { length: count } = faults
  const summary = count === 0 ? sentences.inOrder : fill(sentences.faults, { count })
  return { faults, places, warnings, summary }
}

/** The language of the option `--lang` or of the environment, else English. */
function chooseReader(): Language {
  const { lang } = parseArgs({ options: { lang: { type: 'string' } } }).values
  const { LC_ALL, LC_MESSAGES, LANG } = process.env
  return findLanguage((lang || LC_ALL || LC_MESSAGES || LANG || '').slice(0, 2)) ?? 'en'
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../../shared/content')
  const { faults, warnings, summary } = checkContent(root, chooseReader(), drawn)
  for (const warning of warnings) console.log(warning)
  for (const fault of faults) console.error(fault)
  console.log(summary)
  process.exitCode = faults.length > 0 ? 1 : 0
}
