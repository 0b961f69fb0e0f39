import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTENT } from '../../shared/content/index.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { TITLE_MAX_LENGTH } from '../../tools/content/check-agreement.ts'
import { MAX_LENGTHS } from '../../tools/content/check-text.ts'
import { PRESCRIBED, STORED_WORDS } from '../../tools/content/prescribed.ts'
import { ROOT } from '../../tools/harness/project.ts'

const LEFT_OUT = ['.git', 'node_modules', 'dist', 'data', 'coverage']

const FACTS = {
  legalName: { fr: 'Conseil Boréal & Nord inc.', en: 'Boreal Advisory & North Inc.' },
  address: {
    fr: { street: '4500, rue Main, bureau 12', city: 'Sudbury', postalCode: 'P3E 5J1' },
    en: { street: '4500 Main Street, Unit 12', city: 'Greater Sudbury', postalCode: 'P3E 5J1' },
  },
  phone: '+17055559000',
  email: 'bonjour@boreal.test',
  privacyEmail: 'vie.privee@boreal.test',
  backups: { fr: '45 jours', en: '45 days' },
  // Empty ones do not exist.
  registrations: { ontario: ['1234567', ''], canada: '' },
  links: {
    site: 'https://boreal.test/fr',
    x: 'https://x.com/boreal',
    instagram: '',
    discord: 'https://discord.com/invite/boreal',
  },
}

const LONG = 'Votre équipe prête, c’est notre métier, en français, en anglais et jour après jour, '

/** A text of exactly `length` characters. */
const stretch = (length: number, text = LONG) =>
  text
    .repeat(3)
    .slice(0, length - 1)
    .trim()
    .padEnd(length, '…')

const NAME_LENGTH = MAX_LENGTHS['brand.name'] ?? 0
const NAMES = {
  fr: stretch(NAME_LENGTH, 'Conseil Boréal & Grand Nord'),
  en: stretch(NAME_LENGTH, 'Boreal Advisory & the North'),
}

/** Texts whose length the layout must bear: one word, six words, or as long as the check allows. */
const LENGTHS: Record<string, string> = {
  ...Object.fromEntries(
    LANGUAGES.flatMap((language) =>
      Object.entries(MAX_LENGTHS).map(([place, max]) => [`${language}/${place}`, stretch(max)]),
    ),
  ),
  'fr/brand.name': NAMES.fr,
  'en/brand.name': NAMES.en,
  'fr/divisions.items.animal-first-aid.headline': 'Toujours prêts',
  'fr/divisions.items.public-safety.title': 'Sécurité',
  'en/divisions.items.public-safety.title': 'Municipal and industrial public safety consulting',
  'fr/privacy.intro': 'Vos renseignements.',
  'fr/privacy.sections[].title': 'Vos données',
}

/** Texts for search engines, which the check allows to be only so long. */
const META_LENGTHS = { title: TITLE_MAX_LENGTH - ` | ${NAMES.fr}`.length, description: 160 }

const VOWELS = 'eiouEIOU'
const OTHERS = 'ieuoIEUO'
const KEPT = new RegExp(`(\\{\\w+\\}|${[...STORED_WORDS, ...Object.values(NAMES)].join('|')})`)

/** Exchanges vowels, but not in braces or in words that the check asks for. */
const exchange = (text: string) =>
  text
    .split(KEPT)
    .map((part, place) =>
      place % 2 ? part : part.replace(/[eiou]/gi, (sign) => OTHERS[VOWELS.indexOf(sign)] ?? ''),
    )
    .join('')

function change(value: unknown, place: string): unknown {
  if (typeof value !== 'object' || value === null) {
    const isKept = place.slice(3) in PRESCRIBED || /\.id$/.test(place)
    if (isKept) return value
    const [, meta] = /\.meta\.(title|description)$/.exec(place) ?? []
    // Exchanged letters compress worse, and an owner's French policy may have little room left.
    const isPolicy = place === 'fr/privacy.sections[].body[]' && !KEPT.test(String(value))
    const max = isPolicy ? 100 : META_LENGTHS[meta as keyof typeof META_LENGTHS]
    return LENGTHS[place] ?? exchange(String(value)).slice(0, max).trim()
  }
  if (Array.isArray(value)) return value.map((each) => change(each, `${place}[]`))
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, change(each, `${place}.${key}`)]),
  )
}

const merge = (value: object, other: object): object => ({
  ...value,
  ...Object.fromEntries(
    Object.entries(other).map(([key, each]) => {
      const old = Object(value)[key]
      return [key, typeof old === 'object' && !Array.isArray(old) ? merge(old, each) : each]
    }),
  ),
})

const edit = (path: string, write: (json: object) => unknown) =>
  writeFileSync(path, JSON.stringify(write(JSON.parse(readFileSync(path, 'utf8')))))

/** Copies the project into the folder, with other facts and other free texts. */
export function copyWithOtherContent(folder: string): void {
  for (const name of readdirSync(ROOT))
    if (!LEFT_OUT.includes(name)) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const content = join(folder, 'shared/content')
  edit(join(content, 'company.json'), (company) => merge(company, FACTS))
  for (const language of LANGUAGES) {
    const { brand } = CONTENT[language]
    for (const name of readdirSync(join(content, language)))
      edit(join(content, language, name), (json) => {
        const renamed = JSON.stringify(json).replaceAll(brand.name, NAMES[language])
        return change(JSON.parse(renamed), `${language}/${name.replace('.json', '')}`)
      })
  }
}
