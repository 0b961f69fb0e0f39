/** Checks shared/content and client/public for the person who edits them, in French and English. Needs no packages. */
import { isUtf8 } from 'node:buffer'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { isPublished, TYPES } from '../../server/pages/file-types.ts'
import { findPlaceholders, listMembers, listTexts } from '../../shared/content/company.ts'
import { fill, type Values } from '../../shared/format.ts'
import { LANGUAGES, type Language } from '../../shared/language.ts'
import { checkAgreement } from './check-agreement.ts'
import { checkCompany } from './check-company.ts'
import { type Fault, findTextFaults, listWords, type RuleName } from './check-text.ts'
import drawn from './drawn.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

const CONTENT = 'shared/content'
const SENTENCES: Record<Language, typeof en> = { fr, en }

/** Returns the JSON value of a file, or the fault of the file as a whole. Biome finds a repeated key. */
function parse(bytes: Buffer): { json?: unknown; fault?: Fault } {
  const text = bytes.toString()
  if (!isUtf8(bytes) || text.startsWith('\uFEFF')) return { fault: { key: '', rule: 'encoding' } }
  try {
    return { json: JSON.parse(text) }
  } catch (error) {
    const comma = /,\s*[\]}]/.exec(text)
    if (comma) {
      const line = `${text.slice(0, comma.index).split('\n').length}`
      return { fault: { key: '', rule: 'lastComma', words: { line } } }
    }
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

/** The text of the policy, compressed: with the rest of its page, it fits into the 14,000 bytes that test/server/pages/every-page.test.ts allows. */
const POLICY_MAX_BYTES = 4650

function checkPublished(root: string): [file: string, rule: RuleName][] {
  const files = globSync('client/public/**', { cwd: root, withFileTypes: true })
  const paths = files
    .filter((file) => file.isFile())
    .map((file) => relative(root, join(file.parentPath, file.name)))
  return paths
    .filter((path) => isPublished(path))
    .flatMap((path): [string, RuleName][] => {
      if (!(extname(path).toLowerCase() in TYPES)) return [[path, 'fileType']]
      return /^[\w./-]+$/.test(path) ? [] : [[path, 'fileName']]
    })
}

/**
 * Checks the content; returns the lines to print. `root` is the folder of the project, `reader` the language of the lines,
 * `drawn` the texts on the pictures of shared links.
 */
export function checkContent(root: string, reader: Language, drawn: Drawn = {}) {
  const sentences = SENTENCES[reader]
  const faults: string[] = []
  const warnings: string[] = []
  const write = (sentence: string, file: string, key: string, values: Values = {}) =>
    fill(sentence, { file, key: key && fill(sentences.key, { key }), ...values })
  const report = (file: string, { key, rule, words = {}, value }: Fault) => {
    const given = Object.entries(words).map(([name, word]) => [name, word || sentences.none])
    const advice = fill(sentences.rules[rule], Object.fromEntries(given))
    const quoted = value === undefined ? '' : fill(sentences.value, { value })
    faults.push(write(sentences.fault, file, key, { advice, value: quoted }))
  }
  let isReadable = true
  const read = (file: string): unknown => {
    const { json, fault } = parse(readFileSync(join(root, file)))
    if (fault) {
      isReadable = false
      report(file, fault)
    }
    return fault ? undefined : json
  }
  const texts = LANGUAGES.map(() => new Map<string, string>())
  const names = LANGUAGES.map((each) => readdirSync(join(root, CONTENT, each)))
  for (const name of new Set(names.flat())) {
    const owners = LANGUAGES.filter((_, index) => names[index]?.includes(name))
    if (owners.length < LANGUAGES.length) {
      for (const each of owners)
        report(`${CONTENT}/${each}/${name}`, { key: '', rule: 'unpairedFile' })
      continue
    }
    const file = name.replace('.json', '')
    const [fr, ...others] = LANGUAGES.map((language, index) => {
      const path = `${CONTENT}/${language}/${name}`
      const json = read(path)
      const found = json ? checkValue(json, file, language) : []
      for (const [key, text] of listTexts(json)) texts[index]?.set(`${file}.${key}`, text)
      for (const fault of found) report(path, fault)
      if (file === 'privacy' && json) {
        const left = POLICY_MAX_BYTES - brotliCompressSync(JSON.stringify(json)).length
        // A byte holds about two characters.
        const count = `${2 * Math.abs(left)}`
        if (left < 0) report(path, { key: '', rule: 'policyLong', words: { count } })
        else if (left < POLICY_MAX_BYTES / 20)
          warnings.push(write(sentences.policyLeft, path, '', { count }))
      }
      return { language, json }
    })
    for (const { language, json } of others) {
      const different = fr?.json && json ? compare(fr.json, json, language) : []
      for (const [each, fault] of different) report(`${CONTENT}/${each}/${name}`, fault)
    }
  }
  const [french = new Map<string, string>()] = texts
  for (const [index, language] of LANGUAGES.entries()) {
    // An unreadable file would cause faults in others.
    const found = isReadable ? checkAgreement(texts[index] ?? french, french, language) : []
    for (const fault of found) {
      const [file, ...key] = fault.key.split('.')
      report(`${CONTENT}/${language}/${file}.json`, { ...fault, key: key.join('.') })
    }
  }
  const path = `${CONTENT}/company.json`
  const company = read(path)
  for (const fault of company ? checkCompany(company) : []) report(path, fault)
  for (const [file, rule] of checkPublished(root)) report(file, { key: '', rule })
  const placeholders = findPlaceholders(company)
  warnings.push(...placeholders.map((key) => write(sentences.warning, path, key)))
  for (const [index, language] of LANGUAGES.entries()) {
    for (const [place, value] of Object.entries(drawn[language] ?? {})) {
      const [file, ...key] = place.split('.')
      const path = `${CONTENT}/${language}/${file}.json`
      if (texts[index]?.get(place) !== value)
        warnings.push(write(sentences.drawn, path, key.join('.'), { value }))
    }
  }
  const { length: count } = faults
  const summary = count === 0 ? sentences.inOrder : fill(sentences.faults, { count })
  return { faults, warnings, summary }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const missing = LANGUAGES.filter(
    (each) => !SENTENCES[each] || !existsSync(join(root, CONTENT, each)),
  )
  if (missing.length > 0) {
    console.log(`New language ${missing}: npx tsc -b lists what it needs, then copy ${CONTENT}/fr`)
    process.exit(1)
  }
  const checks = LANGUAGES.map((reader) => checkContent(root, reader, drawn))
  for (const part of ['warnings', 'faults', 'summary'] as const) {
    const [fr = [], ...others] = checks.map((check) => [check[part]].flat())
    for (const [index, line] of fr.entries())
      console.log([line, ...others.map((lines) => lines[index])].join('\n'))
  }
  process.exitCode = checks.some(({ faults }) => faults.length > 0) ? 1 : 0
}
