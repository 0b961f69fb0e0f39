/** Checks shared/content for the person who edits it. Needs no packages. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { listMembers, listTexts } from '../../shared/content/company.ts'
import type { Language } from '../../shared/language.ts'
import * as rules from './rules.ts'

/** Texts by place: the name of the file and the key, such as `hero.meta.title`. */
type Texts = Map<string, string>
type Faults = Generator<[place: string, advice: string]>

export const listWords = (text: string) => [...new Set(text.match(/\{\w+\}/g))]

const listNumbers = (text = '') => `${text.match(/\d+/g)?.toSorted()}`

function* checkText(text: string, place: string, language: Language) {
  const sentence = rules.PRESCRIBED[place]?.[language]
  if (text === sentence) return
  if (sentence) yield `the site’s specification prescribes this sentence: put back “${sentence}”`
  const mentioned = rules.MENTIONED[place]?.[language] ?? ''
  if (!text.includes(mentioned)) yield `the site’s specification asks to mention: ${mentioned}`
  const words = rules.PLACEHOLDERS.find(([pattern]) => pattern.test(place))?.[1] ?? ''
  if (listWords(text).some((word) => !words.includes(word)))
    yield `the site fills in here: ${words || 'nothing'}`
  for (const word of words.match(/\{\w+\}(?!\?)/g) ?? [])
    if (!text.includes(word)) yield `put ${word} back: the site fills it in here`
  if (/[{}]/.test(text.replace(/\{\w+\}/g, ''))) yield 'write {, one word without accents, and }'
  const [, min = 1, max = 2000] = rules.LENGTHS.find(([pattern]) => pattern.test(place)) ?? []
  if (text.length < min || text.length > max) yield `write ${min} to ${max} characters`
  for (const [fault, advice, only = language] of rules.TYPOGRAPHY)
    if (only === language && fault.test(text)) yield advice
}

/** The pages tell the items of a list apart by their first text. */
function* checkLists(value: unknown, place: string): Faults {
  const first = Array.isArray(value) ? value.map((item) => listTexts(item)[0]?.[1]) : ['']
  if (new Set(first).size < first.length) yield [place, 'two items begin with the same text']
  for (const [each, member] of listMembers(value, place)) yield* checkLists(member, each)
}

function* compare(texts: Texts, others: Texts): Faults {
  for (const [place, other] of others) {
    const [own, words] = [texts.get(place) ?? '', other].map((text) => listWords(text).toSorted())
    if (!texts.has(place)) yield [place, 'only the other language has this text']
    else if (`${own}` !== `${words}`)
      yield [place, `both languages need the same words in braces; the other has: ${words}`]
    else if (place === 'privacy.updated' && listNumbers(texts.get(place)) !== listNumbers(other))
      yield [place, `both languages need the same date; the other has: ${other}`]
  }
}

/** The policy names what the site stores in the browser and, in its table, for how long it keeps which data. */
function* checkPolicy(texts: Texts): Faults {
  const policy = [...texts].filter(([place]) => place.startsWith('privacy.sections'))
  for (const word of [...rules.STORED_WORDS, texts.get('footer.cookies') ?? ''])
    if (!policy.some(([, text]) => text.includes(word)))
      yield ['privacy.sections', `put ${word} back: the policy must name it`]
  const [id = ''] = policy.find(([, text]) => text === 'data-collected') ?? []
  const rows = policy.filter(([place]) => place.startsWith(id.replace(/id$/, 'body')))
  const cells = rows.filter(([place]) => place.endsWith('][2]'))
  const periods = cells.map(([, text]) => listWords(text).join(' ') || '–').join(', ')
  if (periods !== rules.DATA_PERIODS)
    yield [
      id,
      `the table needs a row for each field; its last column has the periods: ${rules.DATA_PERIODS}`,
    ]
}

function* checkCompany(texts: Texts): Faults {
  for (const [place, text] of texts) {
    const [, fact = /./, advice = ''] = rules.FACTS.find(([pattern]) => pattern.test(place)) ?? []
    if (!fact.test(text)) yield [place, advice]
    const other = texts.get(place.replace('address.en', 'address.fr')) ?? ''
    if (/street|postalCode/.test(place) && `${text.match(/\d/g)}` !== `${other.match(/\d/g)}`)
      yield [place, 'both languages need the same numbers']
  }
}

/** Returns one line for each fault; `root` is the folder of the project. */
export function checkContent(root: string): string[] {
  const faults: string[] = []
  const report = (folder: string, place: string, advice: string) => {
    const [file = '', ...key] = place.split('.')
    faults.push(`${join('shared/content', folder, file)}.json, key ${key.join('.')}: ${advice}`)
  }

  function read(folder: Language | ''): Texts {
    const texts: Texts = new Map()
    for (const path of globSync(join('shared/content', folder, '*.json'), { cwd: root })) {
      const file = basename(path, '.json')
      try {
        const json = JSON.parse(readFileSync(join(root, path), 'utf8'))
        for (const fault of checkLists(json, file)) report(folder, ...fault)
        for (const [place, text] of listTexts(json, file)) {
          texts.set(place, text)
          if (folder)
            for (const advice of checkText(text, place, folder))
              report(folder, place, `${advice}: “${text}”`)
        }
      } catch (error) {
        faults.push(`${path} cannot be read: ${error}`)
      }
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

if (import.meta.main) {
  const faults = checkContent(join(import.meta.dirname, '../..'))
  console.log([...faults, `Faults in the texts: ${faults.length}`].join('\n'))
  process.exitCode = faults.length > 0 ? 1 : 0
}
