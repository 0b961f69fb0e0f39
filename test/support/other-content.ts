import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Company } from '../../shared/content/company.ts'
import { CONTENT } from '../../shared/content/index.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { MENTIONED, NAMED, PRESCRIBED, STORED_WORDS } from '../../tools/content/rules.ts'
import { ROOT } from '../../tools/harness/project.ts'

const LEFT_OUT = ['.git', 'node_modules', 'dist', 'data', 'coverage']

const locality = { city: 'Sudbury', province: 'Ontario', postalCode: 'P3E 5J1' }
/** Empty ones do not exist. */
const FACTS: Company = {
  legalName: { fr: 'Conseil Boréal & Nord inc.', en: 'Boreal Advisory & North Inc.' },
  address: {
    fr: { ...locality, street: '4500, rue Main, bureau 12' },
    en: { ...locality, street: '4500 Main Street, Unit 12' },
  },
  phone: '+17055559000',
  email: 'bonjour@boreal.test',
  privacyEmail: 'vie.privee@boreal.test',
  backups: { fr: '45 jours', en: '45 days' },
  registrations: { ontario: ['1234567', '', '2345678'], canada: '' },
  links: { site: 'https://boreal.test/fr', x: 'https://x.com/boreal', instagram: '', discord: '' },
}

const NAMES = LANGUAGES.map((language) => CONTENT[language].brand.name)
const VOWELS = 'eiouEIOU'
const OTHERS = 'ieuoIEUO'
const WORDS = [...STORED_WORDS, ...Object.values(MENTIONED).flatMap(Object.values), ...NAMES]
/** The items that the specification names. */
const ITEMS = Object.values(NAMED).flatMap((names) => Object.values(names).join('|').split('|'))
const UNCHANGED = new RegExp(`(\\{\\w+\\}|${WORDS.join('|')})`)

/** Exchanges vowels, but not in braces or in words that the check asks for. */
const exchange = (text: string) =>
  text
    .split(UNCHANGED)
    .map((text, index) =>
      index % 2 ? text : text.replace(/[eiou]/gi, (sign) => OTHERS[VOWELS.indexOf(sign)] ?? ''),
    )
    .join('')

const LISTS =
  /(?:items|offerings|sections|categories|tags|reasons|deliverables|features|points|list)$/

/** Adds an item, or removes one from an odd number, unless the specification names some. */
function resize(list: unknown[], key: string): unknown[] {
  if (!LISTS.test(key)) return list
  const last = list.at(-1)
  if (!(key in NAMED) && list.length % 2 === 1) return list.slice(0, -1)
  const [first = '', text] = Object.entries(Object(last))[0] ?? []
  return [
    ...list,
    typeof last === 'string' ? `${last}-2` : { ...Object(last), [first]: `${text}-2` },
  ]
}

function change(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return resize(value, key).map((each) => change(each, `${key}[]`))
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(Object(value)).map(([name, each]) => [name, change(each, `${key}.${name}`)]),
    )
  const text = String(value)
  return key in PRESCRIBED || ITEMS.includes(text) ? text : exchange(text)
}

/** Copies the project into the folder, with other facts, other free texts, and lists that are longer or shorter. */
export function copyWithOtherContent(folder: string): void {
  for (const name of readdirSync(ROOT))
    if (!LEFT_OUT.includes(name)) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const content = join(folder, 'shared/content')
  writeFileSync(join(content, 'company.json'), JSON.stringify(FACTS))
  for (const language of LANGUAGES)
    for (const name of readdirSync(join(content, language))) {
      const path = join(content, language, name)
      const texts = JSON.parse(readFileSync(path, 'utf8'))
      writeFileSync(path, JSON.stringify(change(texts, name.replace('.json', ''))))
    }
}
