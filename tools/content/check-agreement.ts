import type { Language } from '../../shared/language.ts'
import { SECTORS } from '../../shared/sectors.ts'
import { type Fault, listWords } from './check-text.ts'
import { DATA_PERIODS, PRESCRIBED, STORED_WORDS } from './prescribed.ts'

/** These texts contain another one. */
const CONTAINED = {
  'nav.homeLink': 'brand.name',
  'contact.meta.description': 'brand.name',
  'errors.notFound.meta.description': 'brand.name',
  'errors.serverError.meta.description': 'brand.name',
  'privacy.banner.categories[3].text': 'footer.cookies',
}

/** Search engines cut longer titles, and so does the check of the pages' HTML. */
export const TITLE_MAX_LENGTH = 70

/** The numbers of a text, in clocks of 12 hours, without zeros. */
const findHours = (text: string) =>
  new Set(text.match(/[1-9]\d*/g)?.map((number) => Number(number) % 12))

const HOURS = 'contact.facts.hoursValue'

/** Both languages give the same hours, and the description of the contact page no others. */
function checkHours(texts: Map<string, string>, french: Map<string, string>): Fault[] {
  const [own, fr] = [texts.get(HOURS) ?? '', french.get(HOURS) ?? '']
  const key = 'contact.meta.description'
  const value = texts.get(key) ?? ''
  const faults: Fault[] = []
  if (findHours(own).symmetricDifference(findHours(fr)).size > 0)
    faults.push({ key: HOURS, rule: 'numbers', words: { fr, own } })
  if (!findHours(value).isSubsetOf(findHours(own)))
    faults.push({ key, rule: 'hours', words: { hours: own }, value })
  return faults
}

/** Checks the texts of one language that must agree with other texts, the code or the firm's prescriptions. */
export function checkAgreement(
  texts: Map<string, string>,
  french: Map<string, string>,
  language: Language,
): Fault[] {
  const faults = checkHours(texts, french)
  for (const [key, { [language]: sentence }] of Object.entries(PRESCRIBED)) {
    const value = texts.get(key) ?? sentence
    if (sentence && value !== sentence)
      faults.push({ key, rule: 'prescribed', words: { sentence }, value })
  }
  for (const sector of SECTORS) {
    const key = `divisions.items.${sector}`
    if (!texts.has(`${key}.title`)) faults.push({ key, rule: 'missing' })
  }
  const all = [...texts]
  const name = texts.get('brand.name') ?? ''
  for (const [key, source] of Object.entries(CONTAINED)) {
    const text = texts.get(source) ?? ''
    const value = texts.get(key) ?? text
    if (!value.includes(text))
      faults.push({ key, rule: 'contained', words: { text, source }, value })
  }
  for (const [key, value] of all.filter(([each]) => each.endsWith('meta.title'))) {
    const length = `${value} | ${name}`.length
    if (length > TITLE_MAX_LENGTH)
      faults.push({ key, rule: 'title', words: { name, length: String(length) }, value })
  }
  const policy = all.filter(([key]) => key.startsWith('privacy.sections'))
  const words = [...STORED_WORDS, texts.get('footer.cookies') ?? '']
  const missing = words.filter((word) => !policy.some(([, text]) => text.includes(word)))
  if (policy.length > 0 && missing.length > 0)
    faults.push({
      key: 'privacy.sections',
      rule: 'storedWords',
      words: { missing: missing.join(', ') },
    })
  const section = policy.find(([, text]) => text === 'data-collected')?.[0].replace('.id', '')
  const cells = policy.filter(
    ([key]) => key.startsWith(`${section}.`) && /rows\[\d+\]\[2\]$/.test(key),
  )
  const periods = cells.map(([, text]) => listWords(text).join(' ') || '–')
  if (section && periods.join() !== DATA_PERIODS.join())
    faults.push({ key: section, rule: 'periods', words: { periods: DATA_PERIODS.join(', ') } })
  return faults
}
