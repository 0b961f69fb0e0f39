/** Checks shared/content for the person who edits it: `node tools/content/check-content.ts [--lang fr|en]`. */
import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findPlaceholders, listMembers, listTexts } from '../../shared/content/company.ts'
import { fill, type Values } from '../../shared/format.ts'
import { LANGUAGES, type Language } from '../../shared/language.ts'
import { checkAgreement } from './check-agreement.ts'
import { checkCompany } from './check-company.ts'
import { type Fault, findTextFaults, listWords } from './check-text.ts'
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

/** Compares the French and the English texts of a file; returns each fault with the language to report it for. */
function compare(fr: unknown, en: unknown, key = ''): [Language, Fault][] {
  if (typeof fr === 'string' && typeof en === 'string') {
    const [ours = '', theirs = ''] = [fr, en].map((text) => listWords(text).toSorted().join(' '))
    return ours === theirs ? [] : [['en', { key, rule: 'words', words: { fr: ours, en: theirs } }]]
  }
  if (getKind(fr) !== getKind(en)) return [['en', { key, rule: 'shape' }]]
  const [left, right] = [new Map(listMembers(fr, key)), new Map(listMembers(en, key))]
  if (Array.isArray(fr) && left.size !== right.size) {
    const words = { fr: `${left.size}`, en: `${right.size}` }
    return [['en', { key, rule: 'lengths', words }]]
  }
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((each): [Language, Fault][] => {
    if (!right.has(each)) return [['fr', { key: each, rule: 'unpaired' }]]
    if (!left.has(each)) return [['en', { key: each, rule: 'unpaired' }]]
    return compare(left.get(each), right.get(each), each)
  })
}

/** Checks the content; returns the lines to print. `folder` is shared/content, `reader` the language of the lines. */
export function checkContent(folder: string, reader: Language) {
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
  const [french = [], english = []] = LANGUAGES.map((each) => readdirSync(join(folder, each)))
  for (const name of new Set([...french, ...english])) {
    if (!french.includes(name)) report(`en/${name}`, { key: '', rule: 'unpairedFile' })
    else if (!english.includes(name)) report(`fr/${name}`, { key: '', rule: 'unpairedFile' })
    else {
      const file = name.replace('.json', '')
      const [fr, en] = LANGUAGES.map((language, index) => {
        const json = read(`${language}/${name}`)
        const found = json ? checkValue(json, file, language) : []
        for (const [key, text] of listTexts(json)) texts[index]?.set(`${file}.${key}`, text)
        for (const fault of found) report(`${language}/${name}`, fault)
        return json
      })
      const different = fr && en ? compare(fr, en) : []
      for (const [language, fault] of different) report(`${language}/${name}`, fault)
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
  const { length: count } = faults
  const summary = count === 0 ? sentences.inOrder : fill(sentences.faults, { count })
  return { faults, places, warnings, summary }
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
