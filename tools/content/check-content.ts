/** Checks shared/content for the person who edits it. Needs no packages. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { listMembers, listTexts } from '../../shared/content/list-texts.ts'
import type { Language } from '../../shared/language.ts'
import { findJsonFault } from './json-fault.ts'
import * as rules from './rules.ts'

/** Texts by key, which begins with the name of the file, such as `hero.meta.title`. */
type Texts = Map<string, string>
type Faults = Generator<[key: string, advice: string]>

export const listWords = (text: string) => [...new Set(text.match(/\{\w+\}/g))]

const listNumbers = (text = '') => `${text.match(/\d+/g)?.toSorted()}`

function* checkText(text: string, key: string, language: Language) {
  const sentence = rules.PRESCRIBED[key]?.[language]
  if (text === sentence) return
  if (sentence) yield `the site’s specification prescribes this sentence: put back “${sentence}”`
  const mentioned = rules.MENTIONED[key]?.[language] ?? ''
  if (!text.includes(mentioned)) yield `the site’s specification asks to mention: ${mentioned}`
  const words = rules.PLACEHOLDERS.find(([pattern]) => pattern.test(key))?.[1] ?? ''
  if (listWords(text).some((word) => !words.includes(word)))
    yield `the site fills in here: ${words || 'nothing'}`
  for (const word of words.match(/\{\w+\}(?!\?)/g) ?? [])
    if (!text.includes(word)) yield `put ${word} back: the site fills it in here`
  if (/[{}]/.test(text.replace(/\{\w+\}/g, ''))) yield 'write {, one word without accents, and }'
  const [, min = 1, max = 2000] = rules.LENGTHS.find(([pattern]) => pattern.test(key)) ?? []
  if (text.length < min || text.length > max) yield `write ${min} to ${max} characters`
  for (const [fault, advice, only = language] of rules.TYPOGRAPHY)
    if (only === language && fault.test(text)) yield advice
}

/** The pages tell the items of a list apart by their first text. */
function* checkLists(value: unknown, key: string, language: Language): Faults {
  const first = Array.isArray(value) ? value.map((item) => listTexts(item)[0]?.[1]) : ['']
  if (new Set(first).size < first.length) yield [key, 'two items begin with the same text']
  for (const name of rules.NAMED[key]?.[language].split('|') ?? [])
    if (!first.includes(name))
      yield [key, `the site’s specification names an item: put back “${name}”`]
  const { key: sheet, maxSize, sizeOfText } = rules.SHEET
  const size = listTexts(value).reduce((sum, [, text]) => sum + text.length + sizeOfText, 0)
  if (sheet.test(key) && size > maxSize)
    yield [
      key,
      `the printed page needs a second sheet: shorten its texts by ${size - maxSize} characters`,
    ]
  for (const [each, member] of listMembers(value, key)) yield* checkLists(member, each, language)
}

function* compare(texts: Texts, others: Texts): Faults {
  for (const [key, text] of texts) {
    const other = others.get(key)
    const [own, words] = [text, other ?? ''].map((each) => listWords(each).toSorted())
    if (other === undefined)
      yield [key, 'the other language lacks this text: add it there, or correct the key']
    else if (`${own}` !== `${words}`)
      yield [key, `both languages need the same words in braces; the other has: ${words}`]
    else if (key === 'privacy.updated' && listNumbers(text) !== listNumbers(other))
      yield [key, `both languages need the same date; the other has: ${other}`]
  }
}

/** The policy names what the site stores in the browser and, in its table, for how long it keeps which data. */
function* checkPolicy(texts: Texts): Faults {
  const policy = [...texts].filter(([key]) => key.startsWith('privacy.sections'))
  for (const word of [...rules.STORED_WORDS, texts.get('footer.cookies') ?? ''])
    if (!policy.some(([, text]) => text.includes(word)))
      yield ['privacy.sections', `put ${word} back: the policy must name it`]
  const [id = ''] = policy.find(([, text]) => text === 'data-collected') ?? []
  const rows = policy.filter(([key]) => key.startsWith(id.replace(/id$/, 'body')))
  const cells = rows.filter(([key]) => key.endsWith('][2]'))
  const periods = cells.map(([, text]) => listWords(text).join(' ') || '–').join(', ')
  if (periods !== rules.DATA_PERIODS)
    yield [
      id,
      `the table needs a row for each field; its last column has the periods: ${rules.DATA_PERIODS}`,
    ]
}

function* checkCompany(texts: Texts): Faults {
  for (const [key, text] of texts) {
    const [, fact = /./, advice = ''] = rules.FACTS.find(([pattern]) => pattern.test(key)) ?? []
    if (!fact.test(text)) yield [key, advice]
    const other = texts.get(key.replace('address.en', 'address.fr')) ?? ''
    if (/street|postalCode/.test(key) && `${text.match(/\d/g)}` !== `${other.match(/\d/g)}`)
      yield [key, 'both languages need the same numbers']
  }
}

export interface ContentFault {
  /** From the folder of the project. */
  file: string
  /** The first line and the first column are 1. */
  line: number
  column: number
  message: string
}

const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g
/** The texts of a JSON source with their offsets. A colon follows a key. */
const findTexts = (source: string) => [...source.matchAll(STRING)].filter(([, colon]) => !colon)

/** Lists the faults of the content below `root`, the folder of the project. */
export function findFaults(root: string): ContentFault[] {
  const faults: ContentFault[] = []
  /** All that stands before a text in its file, by language and key. */
  const starts = new Map<string, string>()

  function add(file: string, start: string, message: string): void {
    const lines = start.split('\n')
    faults.push({ file, line: lines.length, column: (lines.at(-1) ?? '').length + 1, message })
  }

  function report(folder: Language | '', key: string, advice: string): void {
    const [file = '', ...steps] = key.split('.')
    const wanted = join(folder, key)
    // A fault of a list is at its first text.
    const found = starts.has(wanted)
      ? wanted
      : starts.keys().find((each) => each.startsWith(wanted))
    const path = join('shared/content', folder, `${file}.json`)
    add(path, starts.get(found ?? '') ?? '', `key ${steps.join('.')}: ${advice}`)
  }

  function read(folder: Language | ''): Texts {
    const texts: Texts = new Map()
    for (const path of globSync(join('shared/content', folder, '*.json'), { cwd: root })) {
      const source = readFileSync(join(root, path), 'utf8')
      const broken = findJsonFault(source)
      if (broken) {
        add(path, source.slice(0, broken.offset), broken.advice)
        continue
      }
      const file = basename(path, '.json')
      const json = JSON.parse(source)
      const keys = listTexts(json, file)
      for (const [index, { 0: text, index: offset }] of findTexts(source).entries()) {
        const [key = file, value = ''] = keys[index] ?? []
        starts.set(join(folder, key), source.slice(0, offset))
        texts.set(key, value)
        if (JSON.parse(text) !== value) {
          report(folder, key, 'a key of this group stands twice')
          break
        }
        if (folder)
          for (const advice of checkText(value, key, folder))
            report(folder, key, `${advice}: “${value}”`)
      }
      for (const fault of checkLists(json, file, folder || 'fr')) report(folder, ...fault)
    }
    return texts
  }

  const [fr, en] = [read('fr'), read('en')]
  for (const fault of checkCompany(read(''))) report('', ...fault)
  // A file that cannot be read would cause faults in others.
  if (faults.length > 0) return faults
  for (const fault of [...compare(fr, en), ...checkPolicy(fr)]) report('fr', ...fault)
  for (const fault of [...compare(en, fr), ...checkPolicy(en)]) report('en', ...fault)
  return faults
}

/** One line for each fault of the content. */
export const checkContent = (root: string): string[] =>
  findFaults(root).map(({ file, line, message }) => `${file}, line ${line}, ${message}`)

if (import.meta.main) {
  const faults = checkContent(join(import.meta.dirname, '../..'))
  console.log([...faults, `Faults in the texts: ${faults.length}`].join('\n'))
  process.exitCode = faults.length > 0 ? 1 : 0
}
